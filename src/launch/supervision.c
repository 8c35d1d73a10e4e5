/* Watches a run's processes, limits and cancel request until all have ended. */
#include "config.h"

#include "launch/supervision.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/redact.h"
#include "launch/process.h"
#include "launch/run_directory.h"
#include "launch/run_phase.h"

/* Ticks while watching, while stopping, and after KILL did not help. */
static const int64_t watch_tick_ns = 200 * NS_PER_MS;
static const int64_t stop_tick_ns = 20 * NS_PER_MS;
static const int64_t stuck_tick_ns = NS_PER_S;
/* Processes that end together with the main one are not "left". */
static const int64_t settle_ns = 100 * NS_PER_MS;

void supervision_say(const char *fmt, ...)
{
	struct buf line = BUF_INIT, clean = BUF_INIT;
	char time[CLOCK_ISO_MAX];
	va_list ap;
	ssize_t ignored;

	clock_iso(time, clock_wall_ns());
	buf_addf(&line, "%s ", time);
	va_start(ap, fmt);
	buf_vaddf(&line, fmt, ap);
	va_end(ap);
	buf_addc(&line, '\n');
	redact_text(NULL, &clean, line.s, line.n);
	ignored = write(2, clean.s, clean.n);
	(void)ignored;		/* there is no other place to say it */
	buf_release(&line);
	buf_release(&clean);
}

static void set_tick(const struct supervision *s, int64_t ns)
{
	struct itimerspec t = {
		.it_interval = { .tv_sec = ns / NS_PER_S, .tv_nsec = ns % NS_PER_S },
		.it_value = { .tv_sec = ns / NS_PER_S, .tv_nsec = ns % NS_PER_S },
	};

	if (timerfd_settime(s->timer_fd, 0, &t, NULL) < 0)
		supervision_say("timer: %s", strerror(errno));
}

int supervision_open(struct supervision *s)
{
	sigset_t all, seen;

	s->pidfd = -1;
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	sigemptyset(&seen);
	sigaddset(&seen, SIGCHLD);
	sigaddset(&seen, SIGTERM);
	sigaddset(&seen, SIGINT);
	sigaddset(&seen, SIGHUP);
	s->signal_fd = signalfd(-1, &seen, SFD_CLOEXEC | SFD_NONBLOCK);
	s->timer_fd = timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK);
	if (s->signal_fd < 0 || s->timer_fd < 0)
		return err_errno(ERR_IO, "supervisor: no descriptor for signals and time");
	return 0;
}

static void list_living(const struct supervision *s, struct process_list *out)
{
	if (s->adopted)
		process_members(out, s->spec.run_id);
	else
		process_descendants(out, getpid());
}

static void end_run(struct supervision *s, enum status_why reason, int64_t grace_ns)
{
	struct process_list living = PROCESS_LIST_INIT;

	if (s->reason == WHY_NONE)
		s->reason = reason;
	list_living(s, &living);
	stop_begin(&s->stop, &living, grace_ns, clock_boot_ns());
	process_list_release(&living);
	set_tick(s, stop_tick_ns);
}

static void main_has_ended(struct supervision *s)
{
	s->main_ended = true;
	s->main_end_ns = clock_boot_ns();
	if (s->reason == WHY_NONE)
		s->reason = s->adopted ? WHY_LOST : WHY_EXIT;
	set_tick(s, stop_tick_ns);
}

static void reap(struct supervision *s)
{
	struct rusage usage;
	int status;
	pid_t pid;

	while ((pid = wait4(-1, &status, WNOHANG, &usage)) > 0) {
		if (usage.ru_maxrss * INT64_C(1024) > s->peak_rss_bytes)
			s->peak_rss_bytes = usage.ru_maxrss * INT64_C(1024);
		if (pid == s->status.pid && !s->adopted) {
			s->wait_status = status;
			main_has_ended(s);
		}
	}
	if (!s->adopted && pid < 0 && errno == ECHILD)
		s->all_ended = true;
}

static void check_adopted(struct supervision *s)
{
	struct pollfd p = { .fd = s->pidfd, .events = POLLIN };
	struct process_list living = PROCESS_LIST_INIT;

	if (!s->main_ended && (s->pidfd < 0 || poll(&p, 1, 0) > 0))
		main_has_ended(s);
	if (!s->main_ended)
		return;
	list_living(s, &living);
	s->all_ended = stop_count_living(&living) == 0;
	process_list_release(&living);
}

static void read_signals(struct supervision *s)
{
	struct signalfd_siginfo info;

	while (read(s->signal_fd, &info, sizeof info) == (ssize_t)sizeof info) {
		if (info.ssi_signo != SIGTERM && info.ssi_signo != SIGINT)
			continue;
		supervision_say("signal %u from process %u: the run is cancelled", info.ssi_signo,
			info.ssi_pid);
		if (!s->main_ended)
			end_run(s, WHY_CANCELLED, s->spec.grace_ns);
	}
}

static void check_cancel(struct supervision *s)
{
	struct arena a = ARENA_INIT;
	struct cancel_request request;

	if (faccessat(s->folder_fd, run_file_name(RUN_FILE_CANCEL), F_OK, 0) == 0) {
		int64_t grace_ns = s->spec.grace_ns;

		/* A request that cannot be read is one all the same. */
		if (run_directory_read_cancel(&request, &a, s->rundir) < 0)
			supervision_say("cancel: %s", err_text());
		else if (request.grace_ns >= 0)
			grace_ns = request.grace_ns;
		end_run(s, WHY_CANCELLED, grace_ns);
	}
	arena_release(&a);
}

static void check_deleted(struct supervision *s)
{
	struct stat st;

	if (s->said_deleted || fstat(s->folder_fd, &st) < 0 || st.st_nlink > 0)
		return;
	s->said_deleted = true;
	supervision_say(
		"the run directory was deleted; the run goes on, but its end cannot be recorded");
}

static void check_limits(struct supervision *s)
{
	int64_t elapsed_ns = clock_boot_ns() - s->start_boot_ns;
	struct stat st;

	check_deleted(s);
	if (s->main_ended || s->stop.phase != STOP_IDLE)
		return;
	check_cancel(s);
	if (s->budget_ns && elapsed_ns >= s->budget_ns &&
		(!s->limit_ns || s->budget_ns < s->limit_ns))
		end_run(s, WHY_BUDGET, s->spec.grace_ns);
	else if (s->limit_ns && elapsed_ns >= s->limit_ns)
		end_run(s, WHY_TIMEOUT, s->spec.grace_ns);
	else if (s->spec.log_cap_bytes && fstat(s->log_fd, &st) == 0 &&
		st.st_size > s->spec.log_cap_bytes)
		end_run(s, WHY_LOGCAP, s->spec.grace_ns);
}

static void write_status(struct supervision *s)
{
	if (status_write(&s->file, &s->status) < 0)
		supervision_say("status: %s", err_text());
}

static void report_stuck(struct supervision *s, const struct process_list *living)
{
	size_t used = 0;

	s->status.stuck[0] = '\0';
	for (size_t i = 0; i < living->n && used + 24 < sizeof s->status.stuck; i++) {
		const struct process *p = &living->items[i];

		used += (size_t)snprintf(s->status.stuck + used, sizeof s->status.stuck - used,
			"%s%ld:%c", used ? "," : "", (long)p->pid, p->state);
	}
	s->status.why = WHY_UNKILLABLE;
	supervision_say("these processes survive SIGKILL: %s", s->status.stuck);
	write_status(s);
	set_tick(s, stuck_tick_ns);
}

static void step_stop(struct supervision *s)
{
	struct process_list living = PROCESS_LIST_INIT;
	int64_t now_ns = clock_boot_ns();
	bool settled = s->main_ended && now_ns - s->main_end_ns >= settle_ns;

	if (s->all_ended || (s->stop.phase == STOP_IDLE && !settled))
		return;
	list_living(s, &living);
	if (s->stop.phase == STOP_IDLE) {
		s->left = (int)stop_count_living(&living);
		if (s->left > 0)
			stop_begin(&s->stop, &living, s->spec.grace_ns, now_ns);
	} else {
		stop_step(&s->stop, &living, now_ns);
		if (stop_stuck(&s->stop, s->stuck_ns, now_ns) && s->status.why != WHY_UNKILLABLE)
			report_stuck(s, &living);
	}
	process_list_release(&living);
}

static void wait_for_event(struct supervision *s)
{
	struct pollfd p[3] = {
		{ .fd = s->signal_fd, .events = POLLIN },
		{ .fd = s->timer_fd, .events = POLLIN },
		{ .fd = s->main_ended ? -1 : s->pidfd, .events = POLLIN },
	};
	uint64_t expirations;
	ssize_t ignored;

	(void)poll(p, ARRAY_LEN(p), -1);
	ignored = read(s->timer_fd, &expirations, sizeof expirations);
	(void)ignored;		/* not expired: EAGAIN */
}

static void fill_exit(struct supervision *s)
{
	s->status.rc = RUN_RC_UNKNOWN;
	s->status.signal = 0;
	if (s->adopted)
		return;
	if (WIFSIGNALED(s->wait_status)) {
		s->status.signal = WTERMSIG(s->wait_status);
		s->status.rc = 128 + s->status.signal;
	} else {
		s->status.rc = WEXITSTATUS(s->wait_status);
	}
}

static void note_end(struct supervision *s)
{
	struct stat st;

	check_deleted(s);
	fill_exit(s);
	s->status.state = STATUS_DONE;
	s->status.why = s->reason;
	s->status.stuck[0] = '\0';
	s->status.forced = s->stop.forced;
	s->status.left = s->left;
	s->status.log_bytes = fstat(s->log_fd, &st) == 0 ? st.st_size : -1;
	s->status.elapsed_ns = clock_boot_ns() - s->start_boot_ns;
	s->status.end_ns = clock_wall_ns();
}

void supervision_record_end(struct supervision *s)
{
	write_status(s);
}

void supervision_run(struct supervision *s)
{
	set_tick(s, watch_tick_ns);
	for (;;) {
		reap(s);
		if (s->adopted)
			check_adopted(s);
		if (s->all_ended)
			break;
		check_limits(s);
		step_stop(s);
		wait_for_event(s);
		read_signals(s);
	}
	note_end(s);
}
