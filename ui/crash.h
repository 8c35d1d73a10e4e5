/*
 * crash - gives the terminal back when the program dies.
 *
 * The handler only writes, calls tcsetattr() and puts the earlier handler back
 * before it raises the signal again: all of it is async-signal-safe, so a core
 * file, a debugger or a sanitizer still sees the signal.
 */
#ifndef PORTSIDE_UI_CRASH_H
#define PORTSIDE_UI_CRASH_H

#include <termios.h>

/* MODES are those of FD before the screen took it. */
void crash_guard(int fd, const struct termios *modes);
void crash_unguard(void);

#endif
