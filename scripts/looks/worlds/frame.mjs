import { check, click, clickAt, clickExact, dragFile, fill, waitForText } from '../actions.mjs'
import { callControl, createTraffic, signIn } from '../sandbox.mjs'

/** The frame around the screens, and replays. Each state changes the world, so the order matters. */
export const frame = {
  name: 'frame',
  world: 'demo',
  prepare: createTraffic,
  states: [
    [
      'replay-differs',
      '#/requests?replay=own',
      check(/^All requests in the list/),
      check('A new empty world'),
      clickExact('Replay'),
      waitForText('Replay another…'),
    ],
    [
      'replay-present',
      '#/requests?replay=own',
      check(/^All requests in the list/),
      check(/^The current world/),
      clickExact('Replay'),
      waitForText('Replay another…'),
    ],
    ['custom', '#/customers', click('Custom…')],
    ['custom-wrong', '#/customers', click('Custom…'), fill(/^A duration/, 'soon'), clickExact('Advance')],
    ['drop', '#/customers', dragFile('notes.txt', 'a text', 'dragover')],
    ['drop-refused', '#/customers', dragFile('notes.txt', 'a text', 'drop'), waitForText(/is expected\.$/)],
    [
      'drop-asks',
      '#/customers',
      dragFile('a-funded-customer.yaml', 'name: Another\nsteps: []\n', 'drop'),
      waitForText('Replace the scenario?'),
    ],
    ['recording', '#/scenarios?record=1', clickAt('nav a[href*=customers]'), waitForText(/recording since commit/)],
    [
      'faults',
      '#/customers',
      async (page, sandbox) => {
        const dropped = { method: 'GET', path: '/pools', kind: 'drop_before_commit', times: 1 }
        const slow = { path: '/customers', kind: 'latency', ms: 20 }
        await callControl(sandbox, 'faults.set', { faults: [dropped, slow] })
        const call = await signIn(sandbox)
        await call('POST', '/customers', { detail: { first_name: 'Ada' } })
        await call('GET', '/pools').catch(() => {})
        await page
          .getByText(/faults? active/)
          .first()
          .waitFor()
      },
    ],
    ['faults-sign', '#/customers', clickAt('footer button:has-text("active")'), waitForText('Faults are active')],
    ['requests-marks', '#/requests', waitForText(/Faults \d/)],
    ['requests-hint', '#/requests?hints=yes', clickAt('[data-row]'), waitForText(/did you mean/)],
    ['requests-cut', '#/requests?faults=yes', clickAt('[data-row]'), waitForText('Fault applied')],
    [
      'replaying',
      '#/faults',
      async (page, sandbox) => {
        const text = 'curl http://127.0.0.1/api/v1/customers\n'.repeat(5_000)
        callControl(sandbox, 'exchanges.replay', { text, into: 'present' }).catch(() => {})
        await page.getByRole('region', { name: 'Replaying' }).waitFor()
      },
    ],
    [
      'advancing',
      '#/faults',
      async (page, sandbox) => {
        callControl(sandbox, 'clock.advance', { by: 'P9000D' }).catch(() => {})
        await page.getByRole('button', { name: 'Cancel' }).waitFor()
      },
    ],
    [
      'sign-in',
      '#/now',
      async (page, sandbox) => {
        await callControl(sandbox, 'clock.cancel').catch(() => {})
        await page.evaluate(() => {
          for (const name of Object.keys(sessionStorage)) sessionStorage.setItem(name, 'wrong')
        })
        await page.reload()
        await page.getByText('The key is not valid').waitFor()
      },
    ],
  ],
}
