/** Scenarios with one mistake each. */

const STEPS = 'one of request, inject, advance, decide, operator, together, restart, expect, repeat'
export const look = 'steps:\n  - expect: { ledger: balanced }\n'
/** With these as its only steps, which begin on line 3. */
export const stepped = (...lines: string[]) => `name: A\nsteps:\n${lines.map((line) => `  ${line}`).join('\n')}\n`

/** Mistakes in a step: what it is, the steps, and the trouble, in which … stands for anything. */
const IN_STEPS = `
an unknown step
  - loop: 3
→ 3:5: steps[0].loop: exactly ${STEPS} is expected in a step; found loop
a step of nothing
  - {}
→ 3:5: steps[0]: exactly ${STEPS} is expected in a step; found nothing
a step that is a word
  - wait
→ 3:5: steps[0]: a step is expected, with ${STEPS}; found "wait"
two steps in one
  - request: GET /x
    advance: PT1H
→ 4:5: steps[0].advance: exactly ${STEPS} is expected in a step; found request and advance
an unknown key of a step
  - request: GET /x
    boddy: {}
→ 4:5: steps[0].boddy: there is no "boddy" here; one of name, as, token, trace, headers, query, body, form, raw, expect, capture is expected
an unknown key of what is expected
  - request: GET /x
    expect: { statis: 200 }
→ 4:15: steps[0].expect.statis: there is no "statis" here; one of status, code, title, detail, extra, headers, body is expected
an unknown expectation
  - expect: { balance: {} }
→ 3:15: steps[0].expect.balance: there is no "balance" here; one of balances, records, states, counts, events, ledger, clock is expected
a request without a path
  - request: POST
→ 3:14: steps[0].request: a method and a path are expected, as in POST /customers; found "POST"
two bodies
  - request: POST /x
    body: {}
    raw: x
→ 3:5: steps[0]: at most one of body, form and raw is expected; found {"request"…
a status that is none
  - request: GET /x
    expect: { status: ok }
→ 4:23: steps[0].expect.status: a status from 100 to 599, dropped, a variable or a matcher is expected; found "ok"
an unknown matcher of a status
  - request: GET /x
    expect: { status: { oneof: [1] } }
→ 4:25: steps[0].expect.status.oneof: there is no "oneof" here; one of is, matches, one_of, contains, not, count, at_least, at_most is expected
a matcher that cannot be
  - request: GET /x
    expect: { body: { a: { is: uuid } } }
→ 4:32: steps[0].expect.body.a.is: one of present, absent, null, uid, … is expected
a variable whose name begins with a digit
  - request: GET /x
    capture: { 1st: uid }
→ 4:16: steps[0].capture.1st: a name of letters, digits and underscores that does not begin with a digit is expected; found "1st"
a built-in variable
  - request: GET /x
    capture: { now: uid }
→ 4:16: steps[0].capture.now: another name is expected: $now is a built-in variable
an amount without quotes
  - expect: { balances: { a: 10.00 } }
→ 3:30: steps[0].expect.balances.a: an amount in quotes such as "10.00", or some of balance, pending, available and closing is expected; found 10
a move that there is not
  - decide: { record: transactions/a, move: levitate }
→ 3:45: steps[0].decide.move: there is no move "levitate" of transactions; one of settle, fail, expire, return, approve, deny, cash the check, notify of change, re-present is expected
a collection that there is not
  - decide: { record: unicorns/a, move: settle }
→ 3:23: steps[0].decide.record: there is no collection "unicorns"; one of programs, customers, … is expected
a collection that there is not, in a key
  - expect:
      states: { unicorns/a: settled }
→ 4:17: steps[0].expect.states.unicorns/a: there is no collection "unicorns"…
a method that there is not
  - operator: { call: clock.sett }
→ 3:23: steps[0].operator.call: there is no method "clock.sett"; one of clock.read, clock.set, … is expected
an input that the method does not take
  - operator: { call: clock.set, input: { mode: fast } }
→ 3:49: steps[0].operator.input.mode: one of running, frozen is expected; found "fast"
a duration in months
  - advance: P1M
→ 3:14: steps[0].advance: by: months and years have no fixed length; give weeks, days, hours, minutes or seconds
an advance to nowhere
  - advance: soon
→ 3:14: steps[0].advance: "soon" is no amount of time: expected is one such as 36h, 1d12h, PT24H, 8 business days (1 to 2600), next, idle, monday 9:00 or 2026-12-01T14:00 (a time that exists in New York)
no business day
  - advance: { business_days: 0 }
→ 3:31: steps[0].advance.business_days: 1 or more is expected; found 0
an event that there is not
  - expect: { events: [{ event: transfers.settled }] }
→ 3:33: steps[0].expect.events[0].event: one of transfers, …, customers.unlock is expected; found "transfers.settled"
a detail that the event does not have
  - expect: { events: [{ event: customers.lock, details: { reason: x } }] }
→ 3:60: steps[0].expect.events[0].details.reason: there is no "reason" in the details of customers.lock; one of customer_uid, external_uid, locked_at, lock_reason is expected
a detail that no event of the topic has
  - expect: { events: [{ event: customers, details: { status: x } }] }
→ 3:55: steps[0].expect.events[0].details.status: there is no "status" in the details of customers; one of customer_uid, external_uid, prior_status, … is expected
a matcher of a detail that cannot be
  - expect: { events: [{ event: transfers, details: { new_status: { one_of: x } } }] }
→ 3:77: steps[0].expect.events[0].details.new_status.one_of: a list of values is expected
a number of events that is none
  - expect: { events: [{ event: transfers, times: once }] }
→ 3:51: steps[0].expect.events[0].times: a whole number, a variable or a matcher is expected; found "once"
the delivery of no event
  - expect: { events: [{ event: transfers, times: 0, delivered: true }] }
→ 3:24: steps[0].expect.events[0]: delivered or times: 0 is expected; found {"event":"transfers","times":0,"delivered":true}
a number that begins with 0
  - inject: { routing_number: 021000021 }
→ 3:31: a number does not begin with 0; text is expected in quotes, as in "021000021"
a number that is too long
  - inject: { account_number: 12345678901234567890 }
→ 3:31: this number cannot be represented exactly; text is expected in quotes, as in "12345678901234567890"
`
const inSteps = Array.from(IN_STEPS.matchAll(/(.*)\n((?: .*\n)+)→ (.*)\n/g), ([, name = '', steps, trouble = '']) => {
  const parts = trouble.split('…').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return [name, `name: A\nsteps:\n${steps}`, new RegExp(`^${parts.join('.*')}$`)] as const
})

export const invalidScenarios: readonly (readonly [name: string, text: string, trouble: string | RegExp])[] = [
  ...inSteps,
  [
    'an unknown key of the file',
    `${look}title: A\nname: A\n`,
    '3:1: title: there is no "title" here; one of teaches, given, examples, $schema is expected',
  ],
  [
    'an unknown key of given',
    `name: A\ngiven: { sead: x }\n${look}`,
    /^2:10: given\.sead: there is no "sead" here; one of scenario, world, seed, start/,
  ],
  [
    'an unknown setting of a Program',
    `name: A\ngiven:\n  program:\n    limits: { ach: { maximum: "1.00" } }\n${look}`,
    '4:22: given.program.limits.ach.maximum: there is no "maximum" here; one of minimum_amount, maximum_amount, daily_amount, daily_count is expected',
  ],
  [
    'a world that there is not',
    `name: A\ngiven: { world: flat }\n${look}`,
    '2:17: given.world: one of demo, empty, hosted is expected; found "flat"',
  ],
  [
    'a start that is no time',
    `name: A\ngiven: { start: soon }\n${look}`,
    '2:17: given.start: an ISO 8601 instant is expected, such as 2026-11-23T15:00:00Z; found "soon"',
  ],
  [
    'a fault of an unknown kind',
    `name: A\ngiven:\n  faults:\n    - kind: earthquake\n${look}`,
    /^4:13: given\.faults\[0\]\.kind: one of latency, status, .* is expected; found "earthquake"$/,
  ],
  ['a name that is missing', look, '1:1: name: text is expected; it is missing'],
  ['a name that is a number', `name: 7\n${look}`, '1:7: name: text is expected; found 7'],
  ['steps that are missing', 'name: A\n', '1:1: steps: a list is expected; it is missing'],
  ['no steps', 'name: A\nsteps: []\n', '2:8: steps: at least one item is expected; found []'],
  ['steps that are no list', 'name: A\nsteps: 1\n', '2:8: steps: a list is expected; found 1'],
  ['a list instead of a scenario', '- a\n', '1:1: an object is expected; found ["a"]'],
  ['nothing', '', '1:1: the file is empty; a scenario with name and steps is expected'],
  [
    'a path of a capture that is none',
    stepped('- request: GET /x', '  capture: { a: data[ }'.replace('data[', '"data["')),
    '4:19: steps[0].capture.a: a path is expected, as in details.first_name, data[0].uid or data[status=active].uid',
  ],
  ['a duplicate key', `name: A\nname: B\n${look}`, '2:1: a key is expected once; this one was there already'],
  ['a tab', `name: A\nsteps:\n\t- x\n`, /^3:1: (blanks are expected for indentation; found a tab|this cannot be read)/],
  ['brackets that do not close', 'name: [A\n', /^2:1: this cannot be read: .*\]/],
  ['a second document', `name: A\n${look}---\nname: B\n`, /^4:1: one document is expected; a second one begins here$/],
  ['a tag', `name: !!js/function x\n${look}`, /^1:7: this cannot be read: Unresolved tag/],
  [
    'an anchor that holds itself',
    `name: A\nsteps: &a [*a]\n`,
    '1:1: an anchor that does not contain itself is expected',
  ],
  ['an alias of nothing', `name: *a\n${look}`, '1:7: an anchor &a is expected before the alias *a'],
  ['brackets without end', `name: ${'['.repeat(20_000)}`, '1:1: it is nested too deeply to be read'],
  [
    'JSON',
    '{\n  "name": "A",\n  "steps": [{ "fly": 1 }]\n}',
    `3:15: steps[0].fly: exactly ${STEPS} is expected in a step; found fly`,
  ],
]
