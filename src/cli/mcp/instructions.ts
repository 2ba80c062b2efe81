/** Instructions that the server sends to the agent: the purpose of the tools and the use of their results. */
export const instructions = `NudgeLab is the oracle for registration campaigns: it says what must happen in a sign-in, and why.
A registration campaign prompts a user after multifactor sign-in to set up a stronger method.

Use it honestly:
- Ask explain before you state whether a user is prompted. Quote its headline, its reason code and the rule that decided it; do not guess them.
- A failed scenario means that the scenario or the system under test disagrees with the rules. Report the difference. Do not change an expectation only to make a scenario pass: first find the rule, and say which side is wrong.
- run_scenarios and validate_scenario use the model. They say nothing about a real system; use \`nudgelab run --driver\` for that.
- A result with complete: false covers only a part. Say so.
- covers lists the rules that a scenario shows, not the rules that it is about. A claim that no step shows is a failure.

A good order of work:
1. list_fixtures for tenants and users, list_rules for ids, get_schema "scenario" for the format.
2. explain the sign-ins that matter.
3. Write the YAML, then validate_scenario until valid is true.
4. score_suite with rules set: each survivor is a fault that the suite does not detect, with a scenario that does.

Time is virtual: advance: { days: 1 } takes no time. Every call has its own sandbox, so calls cannot affect each other.`;
