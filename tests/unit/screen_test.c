// SPDX-License-Identifier: GPL-2.0-or-later
/* What browsers are made of: canvas, lists, dialogs, texts, on a terminal that is an array. */
#include <string.h>

#include "tests/unit/fake_terminal.h"
#include "tests/unit/unit.h"
#include "ui/tui/list.h"
#include "ui/tui/text_browser.h"

/* ---- the canvas ---- */

static const char *put(int nr_columns, const char *text)
{
	fake__start(1, nr_columns, NULL);
	tui__start(&tui);
	canvas__put(&tui.canvas, 0, 0, nr_columns, CANVAS_PLAIN, text);
	tui__show(&tui);
	fake__stop();
	fake.screen[strcspn(fake.screen, "\n")] = '\0';
	return fake.screen;
}

TEST(canvas_bears_every_text)
{
	CHECK_STR(put(9, "plain"), "plain");
	CHECK_STR(put(4, "plain"), "plai");
	CHECK_STR(put(9, "a\033[31mb"), "a?[31mb");
	CHECK_STR(put(9, "\xff\xc3z"), "??z");
	CHECK_STR(put(9, "\xc2\x9b"
	                 "1m"),
	          "?1m");                              /* CSI in UTF-8 */
	CHECK_STR(put(9, "e\xcc\x81z"), "e\xcc\x81z"); /* combining */
	CHECK_STR(put(3, "\xe6\xbc\xa2\xe6\xbc\xa2"),
	          "\xe6\xbc\xa2"); /* wide: the second has no room */
	CHECK_EQ(canvas__width("\xe6\xbc\xa2"),
	         1); /* where the locale has no such characters: '?' */
}

TEST(canvas_cuts_what_is_outside)
{
	fake__start(2, 5, NULL);
	tui__start(&tui);
	canvas__put(&tui.canvas, 0, -2, 5, CANVAS_PLAIN, "abcdefghij");
	canvas__put(&tui.canvas, 7, 0, 5, CANVAS_PLAIN, "nowhere");
	canvas__put(&tui.canvas, -1, 0, 5, CANVAS_PLAIN, "nowhere");
	canvas__paint(&tui.canvas, 9, 0, 5, CANVAS_CHOSEN);
	tui__show(&tui);
	CHECK_STR(fake.screen, "cdefg\n\n");
	CHECK_EQ(fake.chosen, -1);
	fake__stop();
}

/* ---- lists ---- */

TEST(list_moves_and_stays_inside)
{
	struct list list = { .nr = 0 };

	list__fit(&list, 10, 3);
	CHECK(list__key(&list, KEYS_DOWN));
	CHECK_EQ(list.at, 1);
	list__key(&list, KEYS_PAGE_DOWN);
	CHECK_EQ(list.at, 4);
	CHECK_EQ(list.top, 2);
	list__key(&list, KEYS_END);
	CHECK_EQ(list.at, 9);
	CHECK_EQ(list.top, 7);
	list__key(&list, KEYS_DOWN);
	CHECK_EQ(list.at, 9);
	list__fit(&list, 4, 3); /* rows went away */
	CHECK_EQ(list.at, 3);
	CHECK_EQ(list.top, 1);
	list__key(&list, KEYS_PAGE_UP);
	list__key(&list, KEYS_UP);
	CHECK_EQ(list.at, 0);
	CHECK_EQ(list.top, 0);
	list__fit(&list, 0, 0);
	list__key(&list, KEYS_DOWN);
	CHECK_EQ(list.at, 0);
	CHECK(!list__key(&list, 'x'));
}

/* ---- dialogs and texts ---- */

TEST(menu_is_chosen_from_and_left)
{
	const char *const items[] = { "one", "two", "three" };

	fake__start(10, 40, (const int[]){ KEYS_DOWN, KEYS_ENTER, 0 });
	tui__start(&tui);
	CHECK_EQ(dialog__menu(&tui, "Menu", items, 3), 1);
	fake__start(2, 8,
	            (const int[]){ KEYS_END, -10, KEYS_ENTER, 0 }); /* hardly room, then more */
	tui__start(&tui);
	CHECK_EQ(dialog__menu(&tui, "Menu", items, 3), 2);
	fake__start(10, 40, (const int[]){ KEYS_ESCAPE, 0 });
	tui__start(&tui);
	CHECK_EQ(dialog__menu(&tui, "Menu", items, 3), -1);
	fake__start(10, 40, (const int[]){ 0 });
	tui__start(&tui);
	CHECK_EQ(dialog__menu(&tui, "Menu", items, 3), -1);
	fake__stop();
}

TEST(line_is_asked_for)
{
	char text[DIALOG_TEXT] = "a";

	fake__start(4, 40,
	            (const int[]){ 'b', 0xc3, 0xa9, KEYS_BACKSPACE, KEYS_UP, 'c', KEYS_ENTER, 0 });
	tui__start(&tui);
	CHECK(dialog__ask(&tui, "What:", text));
	CHECK_STR(text, "abc");
	CHECK_STR(fake.screen, "\n\n\nWhat: abc\n");
	fake__start(4, 40, (const int[]){ KEYS_BACKSPACE, KEYS_ESCAPE, 0 });
	tui__start(&tui);
	CHECK(!dialog__ask(&tui, "What:", text));
	fake__stop();
}

TEST(line_shows_its_end_where_it_is_too_long)
{
	char text[DIALOG_TEXT] = "0123456789";

	fake__start(1, 20, (const int[]){ 'a', 'b', KEYS_BACKSPACE, 0 });
	tui__start(&tui);
	dialog__ask(&tui, "What is it:", text);
	CHECK_STR(fake.screen, "What is i 23456789a\n");
	fake__start(1, 12, (const int[]){ 0 });
	tui__start(&tui);
	dialog__ask(&tui, "What is it:", text);
	CHECK_STR(fake.screen, "What  6789a\n");
	fake__start(1, 1, (const int[]){ 'x', 0 });
	tui__start(&tui);
	dialog__ask(&tui, "What is it:", text);
	fake__stop();
}

TEST(message_takes_the_rows_it_needs)
{
	fake__start(4, 12, (const int[]){ 0 });
	tui__start(&tui);
	dialog__say(&tui, "one two three four\n\xc3\xa9\xc3\xa9");
	CHECK_STR(fake.screen, "\none two\nthree four\n\xc3\xa9\xc3\xa9\n");
	/* Words that are longer, rows that are not there. */
	fake__start(2, 4, (const int[]){ 0 });
	tui__start(&tui);
	dialog__say(&tui, "0123456789ab");
	CHECK_STR(fake.screen, "0123\n4567\n");
	fake__start(2, 4, (const int[]){ 0 });
	tui__start(&tui);
	dialog__say(&tui, "0123 456");
	CHECK_STR(fake.screen, "0123\n456\n");
	fake__start(1, 1, (const int[]){ 0 });
	tui__start(&tui);
	dialog__say(&tui, "\xe6\xbc\xa2\xe6\xbc\xa2 \x80\x80\x80\x80\x80\x80");
	fake__stop();
}

TEST(key_behind_a_message_is_kept_unless_it_closes_dialogs)
{
	static const int closing[] = { KEYS_ESCAPE, KEYS_ENTER, ' ', 'q', KEYS_INTERRUPT };
	char text[DIALOG_TEXT] = "";

	for (u32 i = 0; i < ARRAY_SIZE(closing); i++) {
		fake__start(4, 20, (const int[]){ closing[i], 'x', 0 });
		tui__start(&tui);
		dialog__say(&tui, "said");
		CHECK_EQ(tui__key(&tui), 'x');
	}
	fake__start(4, 20, (const int[]){ 'P', 'x', 0 });
	tui__start(&tui);
	dialog__say(&tui, "said");
	CHECK_EQ(tui__key(&tui), 'P');
	CHECK_EQ(tui__key(&tui), 'x');
	CHECK_EQ(tui__key(&tui), KEYS_CLOSED);
	/* To another message, and to a dialog. */
	fake__start(4, 20, (const int[]){ 'a', 'b', KEYS_ENTER, 0 });
	tui__start(&tui);
	dialog__say(&tui, "said");
	dialog__say(&tui, "once more");
	CHECK(dialog__ask(&tui, "What:", text));
	CHECK_STR(text, "ab");
	/* It is still there after a change of size. */
	fake__start(4, 20, (const int[]){ -2, 0 });
	tui__start(&tui);
	dialog__say(&tui, "said");
	CHECK_STR(fake.screen, "\nsaid\n");
	fake__stop();
}

TEST(menu_stands_apart_from_what_is_behind_it)
{
	const char *const items[] = { "one", "three" };

	fake__start(3, 30, (const int[]){ KEYS_DOWN, 0 });
	tui__start(&tui);
	for (int i = 0; i < 3; i++)
		canvas__put(&tui.canvas, i, 0, 30, CANVAS_PLAIN, "behindbehindbehindbehindbehind");
	dialog__menu(&tui, "Menu", items, 2);
	CHECK_STR(fake.screen, "behindbehi│ Menu  │ehindbehind\n"
	                       "behindbehi│ one   │ehindbehind\n"
	                       "behindbehi│ three │ehindbehind\n");
	CHECK_EQ(fake.chosen, 2);
	fake__stop();
}

TEST(text_is_searched)
{
	static const char text[] = "head\nsecond\n\tindented\nthird\nend\n";

	fake__start(8, 30, (const int[]){ 0 });
	text_browser__run(&tui, "Title", text);
	CHECK_STR(fake.screen, "Title\nhead\nsecond\n        indented\nthird\nend\n\n"
	                       "q: back  /, ?: search, backwar\n");
	fake__start(8, 40, (const int[]){ '/', 'E', 'N', 'D', KEYS_ENTER, 0 });
	text_browser__run(&tui, "Title", text);
	CHECK_EQ(fake.chosen, 5);
	fake__start(8, 40, (const int[]){ '/', 'd', KEYS_ENTER, 'n', 0 });
	text_browser__run(&tui, "Title", text);
	CHECK_EQ(fake.chosen, 3);
	fake__start(8, 40, (const int[]){ '?', 'd', KEYS_ENTER, 'n', 0 });
	text_browser__run(&tui, "Title", text);
	CHECK_EQ(fake.chosen, 4);
	fake__start(8, 40, (const int[]){ '/', 'x', 'y', KEYS_ENTER, 0 });
	text_browser__run(&tui, "Title", text);
	CHECK(strstr(fake.screen, "no line has that text"));
	fake__start(8, 40, (const int[]){ 'n', 'd', KEYS_ENTER, 0 }); /* what for? */
	text_browser__run(&tui, "Title", text);
	CHECK_EQ(fake.chosen, 2);
	/* Where one is, if there is more than is seen. */
	fake__start(5, 60, (const int[]){ KEYS_DOWN, 0 });
	text_browser__run(&tui, "Title", text);
	CHECK(strstr(fake.screen, "again  line 2 of 5\n"));
	fake__start(4, 20, (const int[]){ 0 });
	text_browser__run(&tui, "Title", text);
	CHECK(strstr(fake.screen, "q: back  line 1 of 5\n"));
	fake__start(8, 40, (const int[]){ 'y', 'q', 0 });
	text_browser__run(&tui, "Title", text);
	CHECK(!fake.gone);
	/* Sideways, not beyond the end. */
	fake__start(8, 18, (const int[]){ KEYS_RIGHT, KEYS_RIGHT, KEYS_RIGHT, 0 });
	text_browser__run(&tui, "Title", "0123456789abcdefXYZ\n");
	CHECK(strstr(fake.screen, "\nXYZ\n"));
	fake__start(8, 40, (const int[]){ KEYS_RIGHT, 0 });
	text_browser__run(&tui, "Title", "0123456789abcdefXYZ\n");
	CHECK(strstr(fake.screen, "\n0123456789abcdefXYZ\n"));
	fake__start(8, 18, (const int[]){ KEYS_RIGHT, KEYS_LEFT, KEYS_LEFT, 0 });
	text_browser__run(&tui, "Title", "0123456789abcdefXYZ\n");
	CHECK(strstr(fake.screen, "\n0123456789abcdefXY\n") && !fake.gone);
	fake__stop();
}
