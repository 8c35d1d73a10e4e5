#!/bin/sh
# A machine to log in to, for tests: tests/launch/sshd.sh DIR
#
# Writes keys and configurations below DIR, which is ours alone.  `ssh -F DIR/ssh_config
# portside-test` then starts an sshd of its own over a pipe: no port, no daemon, nothing
# of the user's or of the system's.  The status is 77 where there is no sshd.
set -eu
dir=$1
PATH=$PATH:/usr/sbin:/sbin
sshd=$(command -v sshd) || exit 77
command -v ssh-keygen >/dev/null || exit 77
umask 077
# A root sshd wants its folder, which the package's service makes when it starts.
test "$(id -u)" != 0 || test -d /run/sshd || mkdir -m 755 /run/sshd
ssh-keygen -q -t ed25519 -N '' -C portside-test -f "$dir/host_key"
ssh-keygen -q -t ed25519 -N '' -C portside-test -f "$dir/user_key"
cp "$dir/user_key.pub" "$dir/authorized_keys"
cat >"$dir/sshd_config" <<CONFIG
HostKey $dir/host_key
AuthorizedKeysFile $dir/authorized_keys
StrictModes no
UsePAM no
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin prohibit-password
Subsystem sftp internal-sftp
CONFIG
echo "portside-test $(cut -d' ' -f1,2 "$dir/host_key.pub")" >"$dir/known_hosts"
cat >"$dir/ssh_config" <<CONFIG
Host portside-test portside-stranger
  User $(id -un)
  IdentityFile $dir/user_key
  IdentitiesOnly yes
  IdentityAgent none
  UserKnownHostsFile $dir/known_hosts
  GlobalKnownHostsFile /dev/null
  ProxyCommand $sshd -i -f $dir/sshd_config -E $dir/sshd.log
Host portside-silent
  ProxyCommand sleep 1000
CONFIG
