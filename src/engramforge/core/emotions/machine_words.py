"""Words that feel nothing where they speak of machines, trades or measures. Only lists; emotion.py and
plain_facts.py read them."""

from __future__ import annotations

from typing import Final

PLAIN: Final = """dead_code dead_letter dead_letters dead_link dead_links dead_end dead_lock dead_branch
    dead_zone dead_time dead_weight code_is_dead link_is_dead branch_is_dead process_is_dead server_is_dead
    battery_is_dead process_died server_died worker_died daemon_died engine_died connection_died battery_died
    died_with died_at pumped_up_to kernel_panic panic_mode stress_test stress_tests broken_link broken_links
    broken_pipe broken_build garbage_collection garbage_collector lazy_loading lazy_load dirty_flag dirty_page
    dirty_pages dirty_read hot_path hot_reload hot_water cool_down cooled_down bad_request bad_gateway
    packet_loss data_loss heat_loss loss_function loss_rate loss_of kill_switch kill_signal kill_the_process
    killed_by air_pressure water_pressure oil_pressure pressure_of pressure_drop lost_packets lost_update
    happy_path empty_string empty_list empty_file hot_fix hot_fixes hot_swap hot_spot hot_standby happy_eyeballs
    dead_reckoning dead_man's_switch dead_man_switch shock_absorber shock_absorbers shock_load shock_wave
    thermal_stress stress_and_strain stress_tested stress_concentration lazy_evaluation heart_beat dirty_bit
    bad_sector bad_sectors trash_folder fear_index love_wave love_waves sweet_spot sad_path fine_grained
    panic_button panic_handler lost_and_found graceful_shutdown graceful_degradation excited_state excited_at
    excited_by field_is_excited coil_is_excited exciter_coil depressed_area depressed_areas depression_of_the
    positive_charge charge_is_positive optimistic_lock optimistic_locking optimistic_locks
    optimistic_concurrency strong_password strong_passwords strong_typing strong_reference surprise_factor
    not_a_number branch_is_protected protected_branch protected_branches git_blame blame_view fail_over
    fail_safe false_positive false_positives true_positive positive_integer positive_number positive_pressure
    negative_pressure broken_since build_is_broken build_was_broken build_broke broken_test broken_tests
    test_is_broken link_is_broken links_are_broken is_poisoned regret_bound regret_minimisation
    regret_minimization cumulative_regret embarrassingly_parallel gross_weight gross_margin gross_tonnage
    gross_income net_and_gross creep_rate creep_test foul_water foul_air rotten_tomatoes toxic_gas toxic_waste
    danger_zone alarm_is alarm_clock smoke_alarm fire_alarm nervous_system kill_the kills_the killed_the
    tears_down tear_down tears_off burden_of_proof silly_window"""
"""Phrases of machines and trades: no feeling, whatever their words mean elsewhere."""

OF_MACHINES: Final = """kill panic panicked stress shock died broken dirty trash garbage hot cool solid strong
    fine lost loss lazy pressure blame heart missing empty wait wrong against stop fails protected not no never
    doesn't isn't can't won't didn't aren't wasn't is_not it's_not not_a not_the"""
"""Words that speak of machines as often as of feelings: felt only where somebody is spoken of, or something is asked or
exclaimed."""
NAMING: Final = """alarm anger care comedy danger death fear funeral grief hope horror humor humour joke joy love
    pain panic pride risk risks shock stress surprise terror threat threats worry"""
"""Nouns of feelings that name a thing where one of `THINGS` stands behind them, as in "threat model"."""
THINGS: Final = """adjuster analyses analysis assessment assessments ball balls bar bars bell bells book books
    box boxes button buttons card cards center centre chapel chest class classes club code codes committee
    counseling counselling counsellor counselor course courses department detector detectors director drill drills
    evening facility factor factors feed feeds film films folder form forms group groups hall handle home homes
    insurance intelligence label labels lamp letter letters level levels light lights list lists log logs
    management manager map maps matrix meter model modeling modelling models movie night nights notice notices
    office officer page pages panel panels parade parlor parlour plan plans playlist policy procession program
    programme provider register registers report reports role room rooms score scores section sensor sensors sheet
    sheets shelf shelves shop shops show sign signs siren sirens song songs spray stories story switch system
    systems table tape team test tests ticket tickets training tree unit units ward wire workshop workshops zone
    zones"""
"""What may be called after a feeling and is none."""
DEVICES: Final = "alarm alarms"
"""Devices that are called like a feeling: felt only behind one of `FELT_BEFORE`, or in another form ("alarmed")."""
FELT_BEFORE: Final = (
    "in with of cause causes caused causing raise raised growing much great some public widespread"
)
MACHINE_WORDS: Final = 4
"""The fewest words of a text that may be about a machine; "Cool." is what somebody answers."""
PEOPLE: Final = """i i'm i've i'd i'll me my mine myself we we're we've us our ours you you're your yours he
    he's him his she she's her hers they they're them their who everyone everybody someone somebody anyone
    people man woman guy guys friend friends mother father mom dad brother sister son daughter wife husband dog
    cat baby kids team"""
"""Words that speak of people."""
