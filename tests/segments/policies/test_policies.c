/* SPDX-License-Identifier: MIT */
/* test_policies.c: the tables of policies agree with the words that settings and scenarios take. */
#include "segments/policies/policies.h"
#include "tests/support/unit.h"
#include "vidmm/catalogue/catalogue.h"

#include <string.h>

static void placements_are_the_words_of_the_setting(void **state)
{
    const struct vidmm_setting_info *setting = vidmm_setting_row(VIDMM_SETTING_PLACEMENT);
    const struct vidmm_placement_policy *policy;
    size_t count = 0;
    (void)state;
    assert_true(setting->policies);
    for (; (policy = vidmm_placement_policy_row(count)) != NULL; count++) {
        assert_int_equal(vidmm_setting_word(setting, policy->name), count);
        assert_true(strlen(policy->summary) > 0 && strlen(policy->source) > 0);
    }
    assert_int_equal(count, vidmm_setting_word_count(setting));
    assert_ptr_equal(vidmm_placement_policy_row(vidmm_setting_default(VIDMM_SETTING_PLACEMENT, 0)),
                     &placement_wddm);
    assert_null(placement_wddm.pick);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(placements_are_the_words_of_the_setting) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
