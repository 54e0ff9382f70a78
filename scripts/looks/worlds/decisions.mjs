import {
  click,
  clickExact,
  fillForm,
  inject,
  press,
  setCount,
  slowInjections,
  waitFor,
  waitForText,
} from '../actions.mjs'
import { callControl, createTraffic } from '../sandbox.mjs'

/** Decisions on records, and injections. */
export const decisions = {
  name: 'decisions',
  world: 'demo',
  prepare: async (sandbox) => {
    const traffic = await createTraffic(sandbox)
    const send = async (path, body) => {
      const { response } = await callControl(sandbox, 'exchanges.send', {
        method: 'POST',
        path,
        body: JSON.stringify(body),
      })
      return JSON.parse(response.body).uid
    }
    const decide = (collection, uid, move, inputs = {}) =>
      callControl(sandbox, 'moves.make', { collection, uid, move, inputs })
    const list = async (collection, more = {}) =>
      (await callControl(sandbox, 'records.list', { collection, ...more })).data
    const { customer } = traffic
    const [{ uid: account }] = (await list('synthetic_accounts', { customer_uid: [customer] })).filter(
      ({ master_account }) => master_account,
    )
    const ach = { transaction_type: 'ach', customer_uid: customer, synthetic_account_uid: account }
    const received = await send('/sandbox/mock_transactions', { ...ach, us_dollar_amount: -48.2 })
    await decide('transactions', received, 'settle')
    const failed = await send('/sandbox/mock_transactions', { ...ach, us_dollar_amount: 75 })
    await decide('transactions', failed, 'fail')
    const [{ uid: vrn }] = await list('virtual_reference_numbers')
    await decide('virtual_reference_numbers', vrn, 'lock', { lock_reason: 'admin' })
    const others = (await list('customers', { status: ['active'] })).filter(({ uid }) => uid !== customer)
    await decide('customers', others[0].uid, 'lock', { lock_reason: 'A court order of 20 Nov 2026' })
    await decide('customers', others[1].uid, 'put under review')
    await decide('customers', others[1].uid, 'review again')
    const own = (await list('transactions', { type: ['ach'], status: ['settled'] })).find(
      ({ transfer_uid, return_uid }) => transfer_uid !== null && return_uid === null,
    )
    const texts = ['<b onclick="alert(1)">Bold</b>', '\u202egnp.exe \u0000\u{1F4B8}', 'A'.repeat(10_000)]
    const hostile = (names) => Object.fromEntries(names.map((name, index) => [name, texts[index % texts.length]]))
    const long = await send('/customers', {
      external_uid: texts[0],
      email: texts[1],
      details: {
        ...hostile(['first_name', 'middle_name', 'last_name', 'suffix', 'phone', 'business_name', 'dob']),
        address: hostile(['street1', 'street2', 'city', 'state', 'postal_code']),
      },
    })
    const { seq: beforeRemoved } = await callControl(sandbox, 'world.describe')
    const removed = await send('/sandbox/mock_transactions', { ...ach, us_dollar_amount: 12 })
    return {
      ...traffic,
      account,
      received,
      own: own.uid,
      failed,
      vrn,
      locked: others[0].uid,
      review: others[1].uid,
      long,
      beforeRemoved,
      removed,
    }
  },
  states: [
    [
      'now-needs',
      '#/now',
      async (_page, sandbox) => {
        const { tasks } = await callControl(sandbox, 'tasks.list')
        await callControl(sandbox, 'tasks.hold', { uid: tasks.find(({ recurring }) => !recurring).uid })
        const webhook = { url: 'http://127.0.0.1:9', confirm: false, retry_seconds: [] }
        const { uid } = await callControl(sandbox, 'webhooks.create', webhook)
        await callControl(sandbox, 'webhooks.test', { uid })
        await callControl(sandbox, 'clock.advance', { by: 'PT0S' })
      },
      waitForText('held, due'),
      waitForText('1 failed'),
    ],
    ['now-deny', '#/now', click(/^Deny…/)],
    ['record-failed', '#/transactions/$failed'],
    ['record-not-possible', '#/transactions/$failed', click('Settle')],
    ['record-all-states', '#/customers/$review', click('All states')],
    ['record-received', '#/transactions/$received'],
    ['record-return-form', '#/transactions/$own', click('Return…')],
    ['record-return-missing', '#/transactions/$own', click('Return…'), clickExact('Return')],
    [
      'record-returned',
      '#/transactions/$own',
      click('Return…'),
      (page) => page.locator('section[aria-label="States"] form select').first().selectOption({ index: 1 }),
      clickExact('Return'),
      waitFor('[data-decision-result]'),
    ],
    [
      'record-lines',
      '#/synthetic_accounts/$account',
      (page) => page.getByRole('region', { name: 'Line items' }).scrollIntoViewIfNeeded(),
    ],
    ['record-vrn-locked', '#/virtual_reference_numbers/$vrn'],
    ['record-locked', '#/customers/$locked'],
    ['record-lock-form', '#/customers/$customer', click('Lock…')],
    ['record-review', '#/customers/$review'],
    ['record-review-form', '#/customers/$review', click('Approve…')],
    ['record-long', '#/customers/$long'],
    ['record-long-whole', '#/customers/$long', click(/^All 10,000/)],
    [
      'record-removed',
      '#/transactions/$removed',
      waitFor('[data-standing]'),
      (_page, sandbox, { beforeRemoved }) => callControl(sandbox, 'world.rewind', { seq: beforeRemoved }),
      waitFor('[data-notice]'),
    ],
    ['inject-done', '#/inject', inject, waitFor('section[aria-label="The record"]')],
    ['inject-wrong', '#/inject', fillForm('us_dollar_amount', '0'), inject, waitForText('or send it anyway')],
    [
      'inject-refused',
      '#/inject',
      fillForm('customer_uid', 'unknownunknown12'),
      press('Escape'),
      inject,
      waitFor('[data-answer-line]'),
    ],
    ['inject-outside-done', '#/inject?kind=outside', inject, waitFor('section[aria-label="The record"]')],
    ['inject-vrn-done', '#/inject?kind=vrn', inject, waitFor('section[aria-label="The record"]')],
    ['inject-customer', '#/inject?kind=customer', inject, waitFor('section[aria-label="The record"]')],
    ['inject-onboard-done', '#/inject?kind=onboard', inject, waitFor('[data-answer-line]')],
    ['inject-next', '#/inject?kind=transfer-fail', inject, waitFor('section[aria-label="The record"]')],
    ['inject-count-wrong', '#/inject', setCount(500)],
    ['inject-batch', '#/inject', slowInjections(300), setCount(100), inject, waitForText(/of 100/)],
    ['inject-batch-done', '#/inject', (page) => page.unrouteAll(), setCount(100), inject, waitForText(/100 injected/)],
  ],
}
