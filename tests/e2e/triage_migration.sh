#!/bin/sh
# Makes the small migration in the folder $1 with runs that failed: of attempt 5 one whose
# log ends with a traceback in train.py below colours, a progress bar and noise, and one
# that ended with 0 on the processor; of attempt 3 one without any known text.
#
#	triage_migration.sh FOLDER
set -e
scripts=$(dirname "$0")
portside=${PORTSIDE:-portside}
sh "$scripts/small_migration.sh" "$1"
cd "$1"
mkdir -p "$XDG_CONFIG_HOME/portside"
test -e "$XDG_CONFIG_HOME/portside/config" || printf '[user]\n\tname = ana\n' >"$XDG_CONFIG_HOME/portside/config"
unset CLAUDECODE
git config user.name ana
git config user.email ana@example.org
esc=$(printf '\033')
cr=$(printf '\r')
mkdir -p ../logs
logs=$(cd ../logs && pwd)
cat >"$logs/traceback.log" <<LOG
${esc}[32mINFO${esc}[0m loading data of 408 examples
{'loss': 0.6931, 'step': 1}
WARNING: All log messages before absl::InitializeLog() is called are written to STDERR
  0%|          | 0/100 [00:00<?, ?it/s]${cr}  1%|1         | 1/100 [00:01<01:39,  1.0it/s]${cr}  2%|2         | 2/100 [00:02<01:38,  1.0it/s]
step 2 loss 0.6902
${esc}[31mTraceback (most recent call last):${esc}[0m
  File "/home/ana/textcls/train.py", line 4, in <module>
    xm.mark_step()
  File "/usr/lib/python3/dist-packages/torch/nn/modules/module.py", line 1518, in _wrapped_call_impl
    return self._call_impl(*args, **kwargs)
RuntimeError: Input tensor is not an XLA tensor: torch.FloatTensor
RuntimeError: [/pytorch/third_party/gloo/gloo/transport/tcp/pair.cc:534] Connection closed by peer [127.0.0.1]:58054
UserWarning: resource_tracker: There appear to be 1 leaked semaphore objects to clean up at shutdown
LOG
cat >"$logs/silent.log" <<LOG
WARNING:root:Defaulting to PJRT_DEVICE=CPU
step 1 loss 0.69
step 2 loss 0.68
Training completed
LOG
printf 'step 1\nstep 2\nsomething went wrong\n' >"$logs/unknown.log"
# run ATTEMPT STATUS LOG
run() {
	"$portside" run "$1" --kind smoke -- sh -c "cat '$logs/$3'; exit $2" >/dev/null 2>&1 || test "$2" -ne 0
}
PORTSIDE_CLOCK=2026-10-27T13:00:00Z run 5 0 silent.log
PORTSIDE_CLOCK=2026-10-27T13:10:00Z run 5 1 traceback.log
PORTSIDE_CLOCK=2026-10-27T13:20:00Z run 3 3 unknown.log
