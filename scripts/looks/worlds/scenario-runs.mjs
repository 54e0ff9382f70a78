import { check, click, runScenario, saveScenario, selectTab, typeText, waitForText } from '../actions.mjs'

const FAILS = `name: A Customer that differs from the expected one
teaches: What a failed step looks like.
steps:
  - name: Create a Customer
    request: POST /customers
    body: { email: ada@example.test, external_uid: "7" }
    expect: { status: 200, body: { status: active, email: bea@example.test } }
  - expect: { ledger: balanced }
`
const INVALID = `name: Not complete
steps:
  - request: POST
  - expekt: { ledger: balanced }
  - advance: soon
`

/** Scenarios that fail, are invalid, or change the current world. */
export const scenarioRuns = {
  name: 'scenario-runs',
  world: 'demo',
  states: [
    ['scenario-failed', '#/scenarios/fails', saveScenario('fails', FAILS), runScenario, waitForText('failed at step')],
    [
      'scenario-invalid',
      '#/scenarios/invalid',
      saveScenario('invalid', INVALID),
      selectTab('Text'),
      waitForText('cannot be run'),
    ],
    ['scenario-delete', '#/scenarios/fails', selectTab('Text'), click('Delete…')],
    [
      'scenario-changed',
      '#/scenarios/fails',
      selectTab('Text'),
      (page) => page.getByLabel('Text of fails').click(),
      typeText('# edited '),
      waitForText('unsaved changes'),
    ],
    ['scenario-own', '#/scenarios'],
    [
      'scenario-present',
      '#/scenarios/a-funded-customer',
      check('the current world'),
      runScenario,
      waitForText('replaced the current world'),
    ],
    [
      'scenario-undone',
      '#/scenarios/a-funded-customer',
      waitForText('replaced the current world'),
      click('Undo'),
      waitForText('Undone by'),
    ],
  ],
}
