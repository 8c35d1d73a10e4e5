/* screen_operation - see screen_operation.h: one row each, a fact once. */
#include "config.h"

#include "command/screen_operation.h"

enum {
	ANY = CONTEXT_ANY, LIST = CONTEXT_LIST, DIFF = CONTEXT_DIFF, CURVES = CONTEXT_CURVES,
	TEXT = CONTEXT_DIFF | CONTEXT_LOG | CONTEXT_TRIAGE,
	LOG = CONTEXT_LOG | CONTEXT_TRIAGE,
};

#define ROW(name, keys, contexts, help, screen) \
	{ name, keys, contexts, help, OPERATION_SCREEN | OPERATION_NO_WORKSPACE, NULL, NULL, screen }

const struct operation screen_operations[] = {
	ROW("move down", "j Down C-n", ANY, "one row down", SCREEN_DOWN),
	ROW("move up", "k Up C-p", ANY, "one row up", SCREEN_UP),
	ROW("move half-page-down", "C-d", ANY, "half a page down", SCREEN_HALF_DOWN),
	ROW("move half-page-up", "C-u", ANY, "half a page up", SCREEN_HALF_UP),
	ROW("move page-down", "PgDn", ANY, "a page down", SCREEN_PAGE_DOWN),
	ROW("move page-up", "PgUp", ANY, "a page up", SCREEN_PAGE_UP),
	ROW("move first", "g Home", ANY, "to the first row", SCREEN_FIRST),
	ROW("move last", "G End", ANY, "to the last row", SCREEN_LAST),
	ROW("move left", "h", LIST | TEXT, "show what is left of the edge", SCREEN_LEFT),
	ROW("move right", "l", LIST | TEXT, "show what is right of the edge", SCREEN_RIGHT),
	ROW("open", "Enter Right", ANY, "open the selected row", SCREEN_OPEN),
	ROW("back", "Esc Left", ANY, "close a pane, a filter, a view; never quits", SCREEN_BACK),
	ROW("pane next", "Tab", ANY, "to the next pane", SCREEN_NEXT_PANE),
	ROW("pane previous", "S-Tab", ANY, "to the previous pane", SCREEN_PREVIOUS_PANE),
	ROW("pane zoom", "z", ANY, "one pane takes all the room, or gives it back", SCREEN_ZOOM),

	ROW("attempt previous", ",", ANY, "to the previous attempt, in all views", SCREEN_PREVIOUS_ATTEMPT),
	ROW("attempt next", ".", ANY, "to the next attempt, in all views", SCREEN_NEXT_ATTEMPT),
	ROW("event previous", "<", ANY, "all views as of one event earlier", SCREEN_PREVIOUS_EVENT),
	ROW("event next", ">", ANY, "all views as of one event later", SCREEN_NEXT_EVENT),
	ROW("now", "F", ANY, "back to now, and follow what comes", SCREEN_NOW),

	ROW("search", "/", ANY, "search in this view", SCREEN_SEARCH),
	ROW("search next", "n", ANY, "to the next match", SCREEN_SEARCH_NEXT),
	ROW("search previous", "N", ANY, "to the previous match", SCREEN_SEARCH_PREVIOUS),
	ROW("filter", "&", ANY, "show only rows that contain a text; Esc clears", SCREEN_FILTER),
	ROW("palette", ":", ANY, "find any operation by its words", SCREEN_PALETTE),
	ROW("help", "? F1", ANY, "what can be done here; type to filter", SCREEN_HELP),

	ROW("row mark", "Space", LIST, "mark the row, or take the mark off", SCREEN_MARK),
	ROW("row range", "v", LIST, "begin a range of marks, or end it", SCREEN_RANGE),
	ROW("row sort", "s", LIST, "sort by the next column", SCREEN_SORT),
	ROW("row sort-reverse", "S", LIST, "sort the other way round", SCREEN_SORT_REVERSE),
	ROW("copy", "y", ANY, "copy what is selected, also over ssh", SCREEN_COPY),
	ROW("edit", "e", ANY, "open it in your editor", SCREEN_EDIT),
	ROW("undo", "u", ANY, "record a reversal of your last record", SCREEN_UNDO),

	ROW("refresh", "R F5", ANY, "look at files and repository again", SCREEN_REFRESH),
	ROW("redraw", "C-l", ANY, "draw the whole screen again", SCREEN_REDRAW),
	ROW("mouse", "M", ANY, "turn the mouse on or off; on, it takes selection away", SCREEN_MOUSE),
	ROW("suspend", "C-z", ANY, "back to the shell; fg returns", SCREEN_SUSPEND),
	ROW("close", "q", ANY, "close this view; at the top it asks, then quits", SCREEN_CLOSE),
	ROW("quit", "Q", ANY, "quit; runs go on", SCREEN_QUIT),

	ROW("view attempts", "1", ANY, "where are we, and what needs me?", SCREEN_VIEW_1),
	ROW("view diff", "2", ANY, "what changed?", SCREEN_VIEW_2),
	ROW("view runs", "3", ANY, "what runs, where, for how long, at what cost?", SCREEN_VIEW_3),
	ROW("view curves", "4", ANY, "does it train the same?", SCREEN_VIEW_4),
	ROW("view checks", "5", ANY, "what is proven, on which configuration?", SCREEN_VIEW_5),
	ROW("view triage", "6", ANY, "why did it fail?", SCREEN_VIEW_6),
	ROW("view journal", "7", ANY, "what did people do and decide?", SCREEN_VIEW_7),
	ROW("view cost", "8", ANY, "what did it cost, and when does it pay off?", SCREEN_VIEW_8),
	ROW("view study", "9", ANY, "many migrations side by side", SCREEN_VIEW_9),

	ROW("diff next-hunk", "J", DIFF, "to the next hunk", SCREEN_NEXT_HUNK),
	ROW("diff previous-hunk", "K", DIFF, "to the previous hunk", SCREEN_PREVIOUS_HUNK),
	ROW("diff next-file", ")", DIFF, "to the next file", SCREEN_NEXT_FILE),
	ROW("diff previous-file", "(", DIFF, "to the previous file", SCREEN_PREVIOUS_FILE),
	ROW("diff more-context", "+", DIFF, "more lines around a change", SCREEN_MORE_CONTEXT),
	ROW("diff less-context", "-", DIFF, "fewer lines around a change", SCREEN_LESS_CONTEXT),
	ROW("diff white-space", "w", DIFF, "ignore white space, or show it", SCREEN_WHITE_SPACE),
	ROW("diff side-by-side", "s", DIFF, "side by side, or one below the other", SCREEN_SIDE_BY_SIDE),
	ROW("diff base", "b", DIFF, "against the previous one, the original, or the marked one", SCREEN_BASE),
	ROW("diff constructs", "C", DIFF, "CUDA constructs left in the tree, or the diff again", SCREEN_CONSTRUCTS),

	ROW("text wrap", "W", TEXT, "wrap long lines, or cut them", SCREEN_WRAP),
	ROW("log next-signature", "J", LOG, "to the next line with a signature", SCREEN_NEXT_SIGNATURE),
	ROW("log previous-signature", "K", LOG, "to the previous line with a signature", SCREEN_PREVIOUS_SIGNATURE),

	ROW("curves cursor-left", "h Left", CURVES, "move the read-out left", SCREEN_CURSOR_LEFT),
	ROW("curves cursor-right", "l Right", CURVES, "move the read-out right", SCREEN_CURSOR_RIGHT),
	ROW("curves pan-left", "H", CURVES, "show what is left", SCREEN_PAN_LEFT),
	ROW("curves pan-right", "L", CURVES, "show what is right", SCREEN_PAN_RIGHT),
	ROW("curves zoom-in", "+", CURVES, "zoom in around the read-out", SCREEN_ZOOM_IN),
	ROW("curves zoom-out", "-", CURVES, "zoom out", SCREEN_ZOOM_OUT),
	ROW("curves fit", "0", CURVES, "show everything", SCREEN_FIT),
	ROW("curves log-y", "Y", CURVES, "logarithmic y axis, or linear", SCREEN_LOG_Y),
	ROW("curves smoothing", "m", CURVES, "next smoothing; the raw curve stays behind", SCREEN_SMOOTHING),
	ROW("curves x-axis", "x", CURVES, "next x axis: step, time, tokens", SCREEN_X_AXIS),
	ROW("curves table", "t", CURVES, "the same as a table, or as curves", SCREEN_TABLE),
	ROW("curves compare", "c", CURVES, "compare the marked runs", SCREEN_COMPARE),
	ROW("curves alignment", "a", CURVES, "next alignment: exact, nearest, hold, ...", SCREEN_ALIGNMENT),
	ROW("curves delta", "d", CURVES, "next form of the difference", SCREEN_DELTA_MODE),
	ROW("curves next-divergence", "D", CURVES, "to the first step out of tolerance", SCREEN_NEXT_DIVERGENCE),
	ROW("curves max-delta", NULL, CURVES, "to the largest difference", SCREEN_JUMP_MAX_DELTA),
	ROW("curves next-non-finite", NULL, CURVES, "to the next NaN or infinity", SCREEN_JUMP_NON_FINITE),
	ROW("curves next-restart", NULL, CURVES, "to the next restart", SCREEN_JUMP_RESTART),
	ROW("curves shift-left", NULL, CURVES, "shift the attempt one step to the left", SCREEN_SHIFT_LEFT),
	ROW("curves shift-right", NULL, CURVES, "shift the attempt one step to the right", SCREEN_SHIFT_RIGHT),
	ROW("curves write", "w", CURVES, "write the comparison as CSV, JSON, SVG or text", SCREEN_WRITE),
	ROW("curves facts", "i", CURVES, "what is equal, warnings, and the health of the files", SCREEN_FACTS),

	ROW("journal kind", "f", CONTEXT_JOURNAL, "only the next kind of line, then all again", SCREEN_JOURNAL_KIND),
	ROW("journal who", "w", CONTEXT_JOURNAL, "only lines by people, agents, tools, or all", SCREEN_JOURNAL_WHO),
	ROW("journal attempt", "a", CONTEXT_JOURNAL, "only the selected attempt, or all", SCREEN_JOURNAL_ATTEMPT),
	ROW("journal time", "t", CONTEXT_JOURNAL, "all views as of this event", SCREEN_GO_TO_TIME),

	ROW("needs", "!", CONTEXT_ATTEMPTS, "open what needs you: ! and its number", SCREEN_NEEDS),
	ROW("attempt compare", "c", CONTEXT_ATTEMPTS, "compare two marked attempts: diff, curves", SCREEN_COMPARE),
	{ NULL, NULL, 0, NULL, 0, NULL, NULL, SCREEN_NONE },
};
