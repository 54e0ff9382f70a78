import { click, press, waitFor, waitForText, waitForTimeline } from '../actions.mjs'
import { callControl, signIn } from '../sandbox.mjs'

/** Customers with long, hostile or right-to-left names, in review, and archived. */
export const people = {
  name: 'people',
  world: 'demo',
  prepare: createPeople,
  states: [
    ['customers', '#/customers'],
    ['customers-kyc', '#/customers', click(/^kyc_status/)],
    ['customers-found', '#/customers?q=ltd'],
    ['customer-long', '#/customers/$long'],
    ['customer-long-story', '#/customers/$long?tab=story', waitForTimeline],
    ['customer-nothing', '#/customers/$long?tab=payments', waitForText(/^0 payments$/)],
    ['customer-map-nothing', '#/customers/$long?tab=map', waitForText('No money has moved yet')],
    ['customer-map-names', '#/customers/$many?tab=map', waitFor('[data-flow]')],
    ['customer-map-archived', '#/customers/$archived?tab=map', waitFor('[data-flow]')],
    ['customer-rtl', '#/customers/$rtl'],
    ['customer-hostile', '#/customers/$hostile'],
    ['customer-reviewed', '#/customers/$reviewed'],
    ['customer-archived', '#/customers/$archived'],
    ['customer-archived-story', '#/customers/$archived?tab=story', waitForTimeline],
    ['customer-archived-accounts', '#/customers/$archived?tab=accounts', waitForText(/^\d+ accounts$/)],
    ['transactions', '#/transactions'],
    ['transactions-customer', '#/transactions', click(/^Customer/)],
    ['transfers', '#/transfers'],
    ['returns', '#/returns'],
    ['combined_transfers', '#/combined_transfers'],
    ['vrns', '#/vrns'],
    ['vrns-locked', '#/vrns?locked=yes'],
    [
      'transactions-new',
      '#/transactions',
      (page) => page.getByRole('grid').focus(),
      press('End'),
      async (_page, sandbox) => {
        const call = await signIn(sandbox)
        const { data } = await call('GET', '/customers?external_uid=demo-business-2')
        const wire = { transaction_type: 'wire', customer_uid: data[0].uid, us_dollar_amount: 12.34 }
        for (let n = 0; n < 12; n++) await call('POST', '/sandbox/mock_transactions', wire)
      },
      waitForText('12 new, show'),
    ],
    [
      'customer-removed',
      '#/customers/$removed',
      (_page, sandbox, { beforeRemoved }) => callControl(sandbox, 'world.rewind', { seq: beforeRemoved }),
      waitForText(/is no more|no longer/),
    ],
  ],
}

async function createPeople(sandbox) {
  const call = await signIn(sandbox)
  const create = async (external_uid, details) => {
    const { uid } = await call('POST', '/customers', { external_uid, customer_type: 'sole_proprietor', details })
    return uid
  }
  const long = await create('3f0c1c4e-6f2b-4b7e-9a51-2d9c0f7b8e10', {
    business_name: `${'Amalgamated Lighthouse and Harbor Provisions '.repeat(4)}Ltd`,
  })
  const rtl = await create('rtl', { business_name: 'مخبز الميناء القديم للخبز والحلويات' })
  const hostile = await create('<b>bold</b>', {
    business_name: '<img src=x onerror=alert(1)>\u202egnp.exe\u0000\n=1+1',
  })
  const { uid: reviewed } = await call('POST', '/customers', {
    email: 'jo.smith@example.test',
    details: {
      first_name: 'Jo',
      last_name: 'Smith',
      phone: '5155550123',
      ssn: '512-04-8824',
      dob: '1990-04-17',
      address: { street1: '12 Harbor Street', city: 'Ames', state: 'IA', postal_code: '50010' },
    },
  })
  const { data: products } = await call('GET', '/products')
  await call('POST', '/customer_products', {
    customer_uid: reviewed,
    product_uid: products.find(({ name }) => /Checking/.test(name)).uid,
  })
  const { data: people } = await call('GET', '/customers?external_uid=demo-person-1')
  const [{ uid: archived }] = people
  const { data: others } = await call('GET', `/synthetic_accounts?customer_uid=${archived}&liability=false`)
  await call('DELETE', `/customers/${archived}`, { destination_synthetic_account_uid: others[0]?.uid })
  const { data: vrns } = await call('GET', '/virtual_reference_numbers')
  await call('PUT', `/virtual_reference_numbers/${vrns[0].uid}/lock`, { lock_reason: 'admin' })
  await call('PUT', `/virtual_reference_numbers/${vrns[1].uid}`, {
    name: `Invoices ${'of the Northern Mill '.repeat(8)}`,
  })
  const many = await createCounterparties(call)
  await callControl(sandbox, 'clock.advance', { business_days: 9 })
  const { seq } = await callControl(sandbox, 'world.describe')
  // A token is valid for a few hours of simulated time.
  const later = await signIn(sandbox)
  const { uid: removed } = await later('POST', '/customers', { details: { first_name: 'Ida', last_name: 'Vane' } })
  return { long, many, rtl, hostile, reviewed, archived, removed, beforeRemoved: seq }
}

/** Payments of 35 counterparties with long, hostile and right-to-left names. Returns the Customer that received them. */
async function createCounterparties(call) {
  const { data } = await call('GET', '/customers?external_uid=demo-business-2')
  const names = ['Northern Mill and Harbor Company', 'مخبز الميناء القديم', '<b>bold</b>', 'Dock']
  for (let n = 1; n <= 35; n++)
    await call('POST', '/sandbox/mock_transactions', {
      transaction_type: 'wire',
      customer_uid: data[0].uid,
      us_dollar_amount: n === 5 ? 1_000_000 : n * n * 3.1,
      counterparty_name: `${names[n % 4]} ${n}`,
    })
  return data[0].uid
}
