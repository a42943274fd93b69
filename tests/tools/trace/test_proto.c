/* SPDX-License-Identifier: MIT */
/* test_proto.c: fields of Protocol Buffers as bytes, as its documentation of the wire format has
   them. */
#include <string.h>

#include "tests/support/unit.h"
#include "tools/trace/proto.h"

static void check(struct proto *proto, const char *wanted, size_t count)
{
    assert_int_equal(proto->depth, 0);
    assert_int_equal(proto->bytes.length, count);
    assert_memory_equal(text_get(&proto->bytes), wanted, count);
    proto_free(proto);
}

static void numbers_are_varints(void **state)
{
    struct proto proto = { 0 };
    (void)state;
    proto_number(&proto, 1, 150);
    proto_number(&proto, 16, 0);
    proto_number(&proto, 2, UINT64_MAX);
    check(&proto, "\x08\x96\x01\x80\x01\x00\x10\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01", 17);
}

static void fixed_numbers_have_eight_bytes(void **state)
{
    struct proto proto = { 0 };
    (void)state;
    proto_fixed64(&proto, 47, 0x0102030405060708);
    check(&proto, "\xF9\x02\x08\x07\x06\x05\x04\x03\x02\x01", 10);
}

static void messages_stand_in_messages(void **state)
{
    struct proto proto = { 0 };
    (void)state;
    proto_open(&proto, 3);
    proto_number(&proto, 1, 150);
    proto_open(&proto, 4);
    proto_close(&proto);
    proto_close(&proto);
    check(&proto, "\x1A\x05\x08\x96\x01\x22\x00", 7);
}

/* The length takes two bytes, and everything behind it moves. */
static void a_long_message_has_a_long_length(void **state)
{
    struct proto proto = { 0 };
    char text[201], wanted[2 + 3 + 200 + 1] = "\x0A\xCB\x01\x12\xC8\x01";
    (void)state;
    memset(text, 'x', 200);
    text[200] = '\0';
    memcpy(wanted + 6, text, 200);
    proto_open(&proto, 1);
    proto_string(&proto, 2, text);
    proto_close(&proto);
    check(&proto, wanted, 206);
}

static void strings_are_utf_8(void **state)
{
    struct proto proto = { 0 };
    (void)state;
    proto_string(&proto, 2, "");
    proto_string(&proto, 2, "a\xC3\xA9");
    proto_string(&proto, 2, "\xFFz\xC3");
    check(&proto, "\x12\x00\x12\x03\x61\xC3\xA9\x12\x07\xEF\xBF\xBDz\xEF\xBF\xBD", 16);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_varints),
        cmocka_unit_test(fixed_numbers_have_eight_bytes),
        cmocka_unit_test(messages_stand_in_messages),
        cmocka_unit_test(a_long_message_has_a_long_length),
        cmocka_unit_test(strings_are_utf_8),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
