// The states of the window for looks.mjs, by the world in which they are reached: where it is, and what is done there.
import { caller, lived, operate } from './window.mjs'

const button =
  (name, options = {}) =>
  (page) =>
    page
      .getByRole('button', { name, ...options })
      .first()
      .click()
const tab = (name) => (page) => page.getByRole('tab', { name }).first().click()
const keys =
  (...pressed) =>
  async (page) => {
    for (const key of pressed) await page.keyboard.press(key)
  }
const typed = (text) => (page) => page.keyboard.insertText(text)
const filled = (label, text) => (page) => page.getByLabel(label).first().fill(text)
const chosen = (label, option) => (page) => page.getByLabel(label).first().selectOption(option)
const clicked =
  (selector, at = 0) =>
  (page) =>
    page
      .locator(selector)
      .nth(at)
      .click({ position: { x: 20, y: 10 } })
/** The story has come. */
const told = (page) =>
  page
    .getByText(/^\d+ of \d+/)
    .first()
    .waitFor()
const there = (selector) => (page) => page.locator(selector).first().waitFor()
const explained = there('[role=dialog] :is([data-chain], [data-statement])')
const inForm = (name, text) => (page) => page.locator('main form').getByLabel(name, { exact: true }).fill(text)
const inject = button(/^Inject/)
const times = (n) => (page) => page.getByLabel(/^How many times/).fill(String(n))
const slowed = (ms) => (page) =>
  page.route('**/exchanges.send', async (route) => {
    await new Promise((done) => setTimeout(done, ms))
    await route.continue()
  })
const seen = (text) => (page) => page.getByText(text).first().waitFor()
/** Of a page of the reference: so many of its own heights down. */
const down = (screens) => (page) =>
  page.locator('#reference-page').evaluate((pane, to) => pane.scrollTo(0, pane.clientHeight * to), screens)
/** `Run` of a scenario, as the clock has one too. */
const run = (page) =>
  page
    .getByRole('region', { name: 'Scenario', exact: true })
    .getByRole('button', { name: /^(Run|Go on)$/ })
    .click()
/** A scenario of one's own, which the window then finds. */
const kept = (name, text) => async (page, line) => {
  await operate(line, 'scenarios.save', { name, text })
  await page.reload()
  await page.getByRole('tab', { name: 'Text' }).waitFor()
}

const FAILS = `name: A Customer who is not what was expected
teaches: What a failed step looks like.
steps:
  - name: It is made
    request: POST /customers
    body: { email: ada@example.test, external_uid: "7" }
    expect: { status: 200, body: { status: active, email: bea@example.test } }
  - expect: { ledger: balanced }
`
const TROUBLED = `name: Half written
steps:
  - request: POST
  - expekt: { ledger: balanced }
  - advance: soon
`
/** What comes by another hand: several, of which one has met with requests. */
const MISFORTUNE = [
  { kind: 'latency', ms: 200, jitter_ms: 50, method: 'GET' },
  { kind: 'status', status: 503, method: 'POST', path: '/transfers', times: 3, rate: 0.25 },
  { kind: 'rate_limit', per_minute: 60, until: '2026-12-01T15:00:00.000Z' },
]

/** The palette comes as code of its own: what is typed before it is there would go elsewhere. */
const palette =
  (...typing) =>
  async (page) => {
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: /^What to do/ }).waitFor()
    for (const text of typing) await page.keyboard.insertText(text)
  }
/** Files that are held over the window, and dropped there unless they are only shown. */
const dragged =
  (name, text, ...kinds) =>
  (page) =>
    page.evaluate(
      ([name, text, kinds]) => {
        const dataTransfer = new DataTransfer()
        dataTransfer.items.add(new File([text], name))
        for (const kind of kinds)
          document.body.dispatchEvent(new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true }))
      },
      [name, text, kinds],
    )

/** Collections whose records have no screen but the page of one. */
const OTHERS = ['synthetic_account_closing_balances', 'custodial_account_closing_balances', 'kyc_evaluations'].concat(
  'transaction_events',
  'synthetic_line_items',
  'custodial_line_items',
)

/** [name, where, …what is done there]. A group has a world of its own; `more` prepares it. */
export const groups = [
  {
    world: 'empty',
    states: [
      ...[
        'connect',
        'requests',
        'accounts',
        'time',
        'inject',
        'scenarios',
        'snapshots',
        'faults',
        'reference',
        'settings',
      ].map(plain),
      ...['customers', 'transactions', 'transfers', 'combined_transfers', 'returns', 'vrns'].map((place) => [
        place,
        `#/${place}`,
        seen('--data-raw'),
      ]),
      ['snapshots-history', '#/snapshots?pane=history'],
      ['replay-own', '#/requests?replay=own'],
      ['palette', '#/customers', palette()],
      ['inject-no-customer', '#/inject?kind=vrn'],
    ],
  },
  {
    world: 'demo',
    prepare: async (line) => {
      await operate(line, 'snapshots.keep', { name: 'before' })
      const first = await lived(line)
      const one = async (collection, more = {}) => {
        const { data } = await operate(line, 'records.list', { collection, limit: 100, ...more })
        return data
      }
      const transactions = await one('transactions')
      const uidOf = (list, fits) => (list.find(fits) ?? list[0])?.uid
      return {
        ...first,
        waits: uidOf(transactions, ({ status }) => status === 'authorization_pending'),
        settled: uidOf(transactions, ({ status }) => status === 'settled'),
        failed: uidOf(transactions, ({ status }) => status === 'failed'),
        onTheWay: uidOf(transactions, ({ status }) => status === 'queued'),
        account: uidOf(await one('synthetic_accounts'), ({ master_account }) => master_account),
        external: uidOf(await one('synthetic_accounts'), ({ synthetic_account_category: of }) => of === 'ach_external'),
        vrn: uidOf(await one('virtual_reference_numbers'), () => true),
        returned: uidOf(await one('returns'), () => true),
        transfer: uidOf(await one('transfers'), () => true),
        combined: uidOf(await one('combined_transfers'), () => true),
        pool: uidOf(await one('pools'), () => true),
        custodial: uidOf(await one('custodial_accounts'), () => true),
        customer_product: uidOf(await one('customer_products'), () => true),
        product: uidOf(await one('products'), () => true),
        type: uidOf(await one('synthetic_account_types'), () => true),
        ...Object.fromEntries(
          await Promise.all(OTHERS.map(async (name) => [name, uidOf(await one(name), () => true)])),
        ),
      }
    },
    states: [
      // Connect
      ['connect', '#/connect'],
      ['connect-ts', '#/connect', tab('TypeScript')],
      ['connect-py', '#/connect', tab('Python')],
      ['connect-java', '#/connect', tab('Java')],
      // Requests
      ['requests', '#/requests'],
      ['requests-refused', ({ refused }) => `#/requests/${refused}`],
      ['requests-headers', ({ refused }) => `#/requests/${refused}`, tab(/^Headers/)],
      ['requests-answer', ({ refused }) => `#/requests/${refused}`, tab(/^Answer/)],
      ['requests-copy', ({ refused }) => `#/requests/${refused}`, button('Copy as…', { exact: true })],
      ['requests-none', '#/requests?q=nothing+of+the+kind'],
      ['requests-methods', '#/requests', button(/^Method/)],
      ['requests-several', '#/requests', clicked('[data-row]'), keys('Shift+ArrowDown', 'Shift+ArrowDown')],
      ['requests-export', '#/requests', button('Export…')],
      ['requests-unknown', '#/requests/x999'],
      ['replay', ({ refused }) => `#/requests/${refused}?replay=own`],
      ['replay-import', '#/requests?replay=import'],
      [
        'replay-import-broken',
        '#/requests?replay=import',
        filled(/^Or paste/, '<html></html>'),
        button('Replay', { exact: true }),
      ],
      [
        'replay-result',
        '#/requests?replay=own',
        (page) => page.getByLabel(/^All that the list shows/).check(),
        button('Replay', { exact: true }),
        seen('Replay another…'),
        clicked('[data-row]'),
      ],
      // Lists
      ...['customers', 'transactions', 'transfers', 'combined_transfers', 'returns', 'vrns'].map(plain),
      ...['pools', 'custodial_accounts', 'synthetic_accounts', 'products', 'customer_products'].map(plain),
      plain('synthetic_account_types'),
      ['customers-several', '#/customers', clicked('[data-row]'), keys('Shift+ArrowDown', 'Shift+ArrowDown')],
      ['customers-none', '#/customers?q=nobody+of+the+kind'],
      ['transactions-filter', '#/transactions', button(/^status/)],
      ['transactions-customer', '#/transactions', button(/^Customer/)],
      ['transactions-filtered', '#/transactions?type=wire&status=settled'],
      ['transactions-chosen', '#/transactions?status=queued&status=settled', button(/^status/)],
      ['transactions-types', '#/transactions', button(/^type/)],
      [
        'transactions-all-filters',
        ({ customer }) =>
          `#/transactions?status=settled&status=failed&type=ach&net_asset=negative&customer=${customer}`,
      ],
      ['vrns-several', '#/vrns', clicked('[data-row]'), keys('Shift+ArrowDown', 'Shift+ArrowDown')],
      // Records
      ['record-waits', ({ waits }) => `#/transactions/${waits}`],
      ['record-deny', ({ waits }) => `#/transactions/${waits}`, button('Deny…')],
      ['record-why', ({ waits }) => `#/transactions/${waits}`, there('[data-why=main]'), keys('w'), explained],
      ['record-title-why', ({ customer }) => `#/customers/${customer}`, button(/^298,606/), explained],
      ['record-status-why', ({ settled }) => `#/transactions/${settled}`, clicked('[data-standing] button'), explained],
      ['record-settled', ({ settled }) => `#/transactions/${settled}`],
      ['record-way', ({ onTheWay }) => `#/transactions/${onTheWay}`],
      ['record-account', ({ account }) => `#/synthetic_accounts/${account}`],
      ['record-external', ({ external }) => `#/synthetic_accounts/${external}`],
      ['record-vrn', ({ vrn }) => `#/virtual_reference_numbers/${vrn}`],
      ['record-return', ({ returned }) => `#/returns/${returned}`],
      ['record-transfer', ({ transfer }) => `#/transfers/${transfer}`],
      ['record-combined', ({ combined }) => `#/combined_transfers/${combined}`],
      ['record-pool', ({ pool }) => `#/pools/${pool}`],
      ['record-custodial', ({ custodial }) => `#/custodial_accounts/${custodial}`],
      ['record-customer-product', ({ customer_product }) => `#/customer_products/${customer_product}`],
      ['record-product', ({ product }) => `#/products/${product}`],
      ['record-type', ({ type }) => `#/synthetic_account_types/${type}`],
      ...OTHERS.map((name) => [`record-${name}`, (facts) => `#/${name}/${facts[name]}`]),
      ['record-unknown', '#/transfers/nobody'],
      ['customer', ({ customer }) => `#/customers/${customer}`],
      ['customer-story', ({ customer }) => `#/customers/${customer}?tab=story`, told],
      ['customer-story-reads', ({ customer }) => `#/customers/${customer}?tab=story&reads=shown`, told],
      ['customer-story-none', ({ customer }) => `#/customers/${customer}?tab=story&q=nothing+of+it`, told],
      [
        'customer-story-money',
        ({ customer }) => `#/customers/${customer}?tab=story&without=state&without=request`,
        told,
      ],
      ['customer-story-states', ({ customer }) => `#/customers/${customer}?tab=story&without=money`, told],
      ['customer-story-export', ({ customer }) => `#/customers/${customer}?tab=story`, told, button('Export story')],
      ['customer-accounts', ({ customer }) => `#/customers/${customer}?tab=accounts`, seen(/^\d+ accounts$/)],
      ['customer-payments', ({ customer }) => `#/customers/${customer}?tab=payments`, seen(/^\d+ payments$/)],
      ['customer-vrns', ({ customer }) => `#/customers/${customer}?tab=vrns`, seen(/^\d+ VRNs$/)],
      // Accounts and ledger
      ['accounts', '#/accounts'],
      ['accounts-account', ({ account }) => `#/accounts?account=${account}`],
      ['accounts-table', '#/accounts', button('As a table')],
      ['accounts-as-of', '#/accounts', button(/^As of: now/)],
      [
        'accounts-earlier',
        '#/accounts',
        button(/^As of: now/),
        (page) => page.getByRole('menuitemradio').last().click(),
      ],
      ['accounts-export', '#/accounts', button('Export CSV')],
      ['accounts-none', '#/accounts?q=no+such+account'],
      ['accounts-all', '#/accounts', button('all', { exact: true })],
      ['accounts-why', '#/accounts', clicked('[aria-label=Balances] [data-why]')],
      ['accounts-custodial', ({ custodial }) => `#/accounts?account=${custodial}`],
      ['accounts-external', ({ external }) => `#/accounts?account=${external}`],
      ['accounts-unknown', '#/accounts?account=nobody'],
      // Time
      ['time', '#/time'],
      ['time-task', '#/time', clicked('[data-row]', 1)],
      ['time-held', '#/time', clicked('[data-row]', 1), button('Hold'), seen('skips it until')],
      ['time-released', '#/time', clicked('[data-row]', 1), button('Release'), seen('is released')],
      ['time-preview', '#/time', chosen('Advance by', 'business_days'), button('Preview')],
      ['time-preview-idle', '#/time', chosen('Advance by', 'idle'), button('Preview')],
      ['time-moment', '#/time', chosen('Advance by', 'moment')],
      ['time-wrong', '#/time', filled('Duration, in ISO 8601', 'soon')],
      ['time-recurring', '#/time?recurring=hidden'],
      ['time-custom', '#/time', clicked('[role=group][aria-label=Advance] button', 3)],
      ['time-pace', '#/time', button(/^Pace/)],
      // Inject
      ...['ach-credit', 'ach-debit', 'ach-iat', 'wire', 'wire-debit', 'instant', 'instant-debit', 'vrn', 'vrn-ach']
        .concat('vrn-ach-debit', 'vrn-instant', 'ach-return', 'kyc-minor', 'kyc-smith', 'kyc-johnson', 'vrn-fail')
        .concat('vrn-registration-fail', 'transfer-fail', 'ach-99', 'ach-98', 'instant-reject', 'onboard', 'transfer')
        .map((kind) => [`inject-${kind}`, `#/inject?kind=${kind}`, there('main form')]),
      ['inject-by-hand', '#/inject?kind=by-hand', seen('Settled payments')],
      ['inject-more', '#/inject', button(/more fields$/)],
      [
        'inject-pick',
        '#/inject',
        (page) => page.locator('main form').getByLabel('customer_uid', { exact: true }).click(),
      ],
      // Scenarios
      ['scenarios', '#/scenarios'],
      ['scenario', '#/scenarios/duplicate-trace-id', seen('After seven days')],
      ['scenario-text', '#/scenarios/duplicate-trace-id', tab('Text')],
      ['scenario-long', '#/scenarios/ach-standard', seen('It begins with')],
      ['scenario-rows', '#/scenarios/limits-wrong-amounts', seen('It begins with'), button(/^row 1 of/)],
      ['scenario-run', '#/scenarios/duplicate-trace-id', run, seen('passed, 6 steps'), clicked('[data-face]', 1)],
      ['scenario-here', '#/scenarios/a-funded-customer', (page) => page.getByLabel('this world').check()],
      ['scenario-record', '#/scenarios', button('Record…'), seen('name: What was')],
      [
        'scenario-record-mark',
        '#/scenarios',
        button('Record…'),
        filled('Name', 'What was done on a Tuesday'),
        (page) => page.getByLabel('now on').check(),
        seen('Move the mark'),
      ],
      ['scenario-record-save', '#/scenarios', button('Record…'), seen('name: What was'), button('Save as your own…')],
      ['scenario-copy', '#/scenarios/duplicate-trace-id', tab('Text'), button('Copy to your own…')],
      [
        'scenario-copy-wrong',
        '#/scenarios/duplicate-trace-id',
        tab('Text'),
        button('Copy to your own…'),
        filled(/^Name of the file/, 'a/b'),
        button('Save', { exact: true }),
      ],
      ['scenario-unknown', '#/scenarios/no-such'],
      ['scenario-none', '#/scenarios?q=no+such+scenario'],
      ['scenario-search', '#/scenarios?q=archiv'],
      ['scenario-step', '#/scenarios/duplicate-trace-id', button('Step', { exact: true }), seen('paused before')],
      ['scenario-waits', '#/scenarios/a-funded-customer', seen('They are listed')],
      // Snapshots
      ['snapshots', '#/snapshots'],
      ['snapshots-taken', '#/snapshots', filled('Keep this world as', 'before')],
      ['snapshots-name-wrong', '#/snapshots', filled('Keep this world as', 'a/b')],
      ['snapshots-history', '#/snapshots?pane=history'],
      ['snapshots-history-chosen', '#/snapshots?pane=history', clicked('[data-row]', 2)],
      ['snapshots-again', '#/snapshots?pane=again'],
      ['snapshots-again-asks', '#/snapshots?pane=again', button(/^Begin again/)],
      ['snapshots-compare', '#/snapshots', button(/^Compare/)],
      ['snapshots-compare-open', '#/snapshots', button(/^Compare/), clicked('section[aria-label=Comparison] summary')],
      [
        'snapshots-compare-none',
        '#/snapshots',
        button(/^Compare/),
        filled('Filter the differences', 'none of these'),
        seen('None holds'),
      ],
      ['snapshots-delete', '#/snapshots', button(/^Delete/)],
      // Faults
      ['faults', '#/faults'],
      ...['status', 'drop_before_commit', 'drop_after_commit', 'rate_limit', 'slow_body'].map((kind) => [
        `faults-${kind}`,
        '#/faults',
        chosen('kind', kind),
      ]),
      [
        'faults-wrong',
        '#/faults',
        chosen('kind', 'status'),
        filled('path', '/nowhere'),
        filled('status', '200'),
        filled('times', 'twice'),
        button('Add', { exact: true }),
      ],
      [
        'faults-set',
        '#/faults',
        chosen('kind', 'drop_after_commit'),
        filled('path', '/customers'),
        button('Add', { exact: true }),
        button(/fault set/),
      ],
      ['faults-several', '#/faults', (_, line) => operate(line, 'faults.set', { faults: MISFORTUNE }), seen('503')],
      ['faults-clear', '#/faults', (_, line) => operate(line, 'faults.clear'), seen('No fault is set')],
      // Reference
      ...['overview', 'limits', 'errors', 'rules', 'states', 'triggers', 'codes'].map((id) => [
        `reference-${id}`,
        `#/reference/${id}`,
      ]),
      ...[
        ...['limits', 'states', 'codes'].map((id) => [id, 1]),
        ...[2, 5, 99].map((at) => ['errors', at]),
        ...['states', 'codes'].map((id) => [id, 3]),
      ].map(([id, at]) => [`reference-${id}-${at}`, `#/reference/${id}`, down(at)]),
      ['reference-code', '#/reference/errors?code=3006'],
      ['reference-rule', '#/reference/rules?section=3.4'],
      ['reference', '#/reference'],
      ['reference-none', '#/reference?q=no+such+page'],
      ['reference-search', '#/reference?q=3012'],
      ['reference-search-field', '#/reference?q=usd_transfer_amount'],
      ['reference-post', '#/reference/createTransfer'],
      ...[1, 4, 99].map((at) => [`reference-post-${at}`, '#/reference/createTransfer', down(at)]),
      ['reference-customer', '#/reference/createCustomer'],
      ['reference-customer-1', '#/reference/createCustomer', down(1)],
      ['reference-auth', '#/reference/createAccessToken'],
      ['reference-archive', '#/reference/archiveCustomer'],
      ['reference-mock', '#/reference/createMockTransaction'],
      ['reference-get', '#/reference/listTransactions'],
      ...[1, 4].map((at) => [`reference-get-${at}`, '#/reference/listTransactions', down(at)]),
      ['reference-method', '#/reference/clock.advance'],
      ['reference-method-none', '#/reference/world.describe'],
      ['reference-method-long', '#/reference/faults.set'],
      ['reference-unknown', '#/reference/noSuchPage'],
      ['reference-try', '#/reference/listCustomers', button('Send', { exact: true }), seen('total_count')],
      ['reference-try-one', '#/reference/getCustomer', button('Send', { exact: true }), seen('Nothing more is due')],
      [
        'reference-refused',
        '#/reference/getCustomer',
        (page) => page.getByLabel('uid').first().fill('nobody'),
        keys('Control+Enter'),
        seen('4002'),
      ],
      [
        'reference-unfit',
        '#/reference/createTransfer',
        filled('usd_transfer_amount', 'ten'),
        button('Send', { exact: true }),
      ],
      // Settings
      ['settings', '#/settings'],
      ['settings-key', '#/settings', button('Show the key')],
      ['settings-key-wrong', '#/settings', filled('new key', 'too short'), button('Rotate')],
      ['settings-products', '#/settings?part=products', clicked('#part-products summary')],
      [
        'settings-questions',
        '#/settings?part=products',
        clicked('#part-products summary'),
        (page) => page.getByText('profile_requirements').first().scrollIntoViewIfNeeded(),
      ],
      [
        'settings-refused',
        '#/settings?part=products',
        clicked('#part-products summary'),
        button(/^Withdraw Business/),
        button('Save', { exact: true }),
        (page) => page.getByRole('alert').first().waitFor(),
      ],
      ['settings-types', '#/settings?part=types'],
      ['settings-types-edited', '#/settings?part=types', filled('Name of General', 'Held here'), button('Add a type')],
      ['settings-limits', '#/settings?part=limits'],
      ['settings-window', '#/settings?part=window'],
      ['settings-sandbox', '#/settings?part=sandbox'],
      ['settings-changed', '#/settings', filled('minimum_amount', '25')],
      ['settings-wrong', '#/settings', filled('minimum_amount', 'a lot')],
      ['settings-new', '#/settings', button(/^New Program/)],
      // Frame
      ['palette', '#/customers', palette()],
      ['palette-found', '#/customers', palette('bakery'), seen(/Search requests/)],
      ['palette-code', '#/customers', palette('3006'), seen(/Search requests/)],
      ['palette-time', '#/customers', palette('advance 3 business days'), seen('Advance 3 business days')],
      ['palette-preview', '#/customers', palette('1 business day'), keys('Control+Enter'), seen(/goes back/)],
      ['palette-here', ({ waits }) => `#/transactions/${waits}`, palette(), seen('This Transaction')],
      ['palette-nothing', '#/customers', palette('zzzzqqq'), seen(/Search requests/)],
      ['palette-undo', '#/customers', palette('undo'), seen('Undo the last change')],
      ['keys', '#/customers', keys('?')],
      ['programs', '#/customers', clicked('button:has-text("Switch Program.")')],
      ['unknown-place', '#/nowhere'],
    ],
  },
  {
    // The screen is looked at while an app calls for the first time.
    world: 'empty',
    name: 'first',
    states: [
      [
        'connect-refused',
        '#/connect',
        async (page, { api }) => {
          await fetch(`${api}/customers`)
          await page.getByText('See why').first().waitFor()
        },
      ],
      [
        'connect-first',
        '#/connect',
        async (page, line) => {
          await (await caller(line))('GET', '/customers?limit=5')
          await page.getByText('Called with the token').waitFor()
        },
      ],
    ],
  },
  {
    // What stands around every screen, and what changes the world on the way: the order matters.
    world: 'demo',
    name: 'frame',
    prepare: lived,
    states: [
      [
        'replay-differs',
        '#/requests?replay=own',
        (page) => page.getByLabel(/^All that the list shows/).check(),
        (page) => page.getByLabel('A fresh empty world').check(),
        button('Replay', { exact: true }),
        seen('Replay another…'),
      ],
      [
        'replay-present',
        '#/requests?replay=own',
        (page) => page.getByLabel(/^All that the list shows/).check(),
        (page) => page.getByLabel(/^The present world/).check(),
        button('Replay', { exact: true }),
        seen('Replay another…'),
      ],
      ['due', '#/customers', clicked('section[aria-label="What falls due"] button')],
      ['custom', '#/customers', button('Custom…')],
      [
        'custom-wrong',
        '#/customers',
        button('Custom…'),
        filled(/^A duration/, 'soon'),
        button('Advance', { exact: true }),
      ],
      ['drop', '#/customers', dragged('notes.txt', 'a text', 'dragover')],
      ['drop-refused', '#/customers', dragged('notes.txt', 'a text', 'drop'), seen('Refused.')],
      [
        'drop-asks',
        '#/customers',
        dragged('a-funded-customer.yaml', 'name: Another\nsteps: []\n', 'drop'),
        seen('Not opened yet.'),
      ],
      ['recording', '#/scenarios?record=1', clicked('nav a[href*=customers]'), seen(/recording from commit/)],
      [
        'faults',
        '#/customers',
        async (page, line) => {
          const lost = { method: 'GET', path: '/pools', kind: 'drop_before_commit', times: 1 }
          const late = { path: '/customers', kind: 'latency', ms: 20 }
          await operate(line, 'faults.set', { faults: [lost, late] })
          const call = await caller(line)
          await call('POST', '/customers', { detail: { first_name: 'Ada' } })
          await call('GET', '/pools').catch(() => {})
          await page
            .getByText(/faults? set/)
            .first()
            .waitFor()
        },
      ],
      ['faults-sign', '#/customers', clicked('footer button:has-text("set")'), seen('Requests meet with misfortune')],
      ['requests-marks', '#/requests', seen(/Faults \d/)],
      ['requests-hint', '#/requests?hints=yes', clicked('[data-row]'), seen(/did you mean/)],
      ['requests-cut', '#/requests?faults=yes', clicked('[data-row]'), seen('It met with a fault')],
      [
        'working',
        '#/faults',
        async (page, line) => {
          const text = 'curl http://127.0.0.1/api/v1/customers\n'.repeat(5_000)
          operate(line, 'exchanges.replay', { text, into: 'present' }).catch(() => {})
          await page.getByRole('region', { name: 'Replaying' }).waitFor()
        },
      ],
      [
        'advancing',
        '#/faults',
        async (page, line) => {
          operate(line, 'clock.advance', { by: 'P9000D' }).catch(() => {})
          await page.getByRole('button', { name: 'Cancel' }).waitFor()
        },
      ],
      [
        'closed-door',
        '#/connect',
        async (page, line) => {
          await operate(line, 'clock.cancel').catch(() => {})
          await page.evaluate(() => {
            for (const name of Object.keys(sessionStorage)) sessionStorage.setItem(name, 'of another start')
          })
          await page.reload()
          await page.getByText('The key does not open this sandbox').waitFor()
        },
      ],
    ],
  },
  {
    world: 'demo',
    name: 'people',
    prepare: peopled,
    states: [
      ['customers', '#/customers'],
      ['customers-kyc', '#/customers', button(/^kyc_status/)],
      ['customers-found', '#/customers?q=ltd'],
      ['customer-long', ({ long }) => `#/customers/${long}`],
      ['customer-long-story', ({ long }) => `#/customers/${long}?tab=story`, told],
      ['customer-nothing', ({ long }) => `#/customers/${long}?tab=payments`, seen(/^0 payments$/)],
      ['customer-rtl', ({ rtl }) => `#/customers/${rtl}`],
      ['customer-hostile', ({ hostile }) => `#/customers/${hostile}`],
      ['customer-reviewed', ({ reviewed }) => `#/customers/${reviewed}`],
      ['customer-archived', ({ archived }) => `#/customers/${archived}`],
      ['customer-archived-story', ({ archived }) => `#/customers/${archived}?tab=story`, told],
      ['customer-archived-accounts', ({ archived }) => `#/customers/${archived}?tab=accounts`, seen(/^\d+ accounts$/)],
      ['transactions', '#/transactions'],
      ['transactions-customer', '#/transactions', button(/^Customer/)],
      ['transfers', '#/transfers'],
      ['returns', '#/returns'],
      ['combined_transfers', '#/combined_transfers'],
      ['vrns', '#/vrns'],
      ['vrns-locked', '#/vrns?locked=yes'],
      [
        'transactions-new',
        '#/transactions',
        (page) => page.getByRole('grid').focus(),
        keys('End'),
        async (_page, line) => {
          const call = await caller(line)
          const { data } = await call('GET', '/customers?external_uid=demo-business-2')
          const wire = { transaction_type: 'wire', customer_uid: data[0].uid, us_dollar_amount: 12.34 }
          for (let at = 0; at < 12; at++) await call('POST', '/sandbox/mock_transactions', wire)
        },
        seen('12 new, show'),
      ],
      [
        'customer-vanished',
        ({ vanishing }) => `#/customers/${vanishing}`,
        (_page, line) => operate(line, 'world.rewind', { seq: beforeVanishing }),
        seen(/is no more|no longer/),
      ],
    ],
  },
  {
    world: 'demo',
    name: 'moved',
    prepare: async (line) => {
      const first = await lived(line)
      const send = async (path, body) => {
        const { response } = await operate(line, 'exchanges.send', { method: 'POST', path, body: JSON.stringify(body) })
        return JSON.parse(response.body).uid
      }
      const make = (collection, uid, move, inputs = {}) =>
        operate(line, 'moves.make', { collection, uid, move, inputs })
      const all = async (collection, more = {}) => (await operate(line, 'records.list', { collection, ...more })).data
      const { customer } = first
      const [{ uid: account }] = (await all('synthetic_accounts', { customer_uid: [customer] })).filter(
        ({ master_account }) => master_account,
      )
      const ach = { transaction_type: 'ach', customer_uid: customer, synthetic_account_uid: account }
      const received = await send('/sandbox/mock_transactions', { ...ach, us_dollar_amount: -48.2 })
      await make('transactions', received, 'settle')
      const failed = await send('/sandbox/mock_transactions', { ...ach, us_dollar_amount: 75 })
      await make('transactions', failed, 'fail')
      const [{ uid: vrn }] = await all('virtual_reference_numbers')
      await make('virtual_reference_numbers', vrn, 'lock', { lock_reason: 'admin' })
      const others = (await all('customers', { status: ['active'] })).filter(({ uid }) => uid !== customer)
      await make('customers', others[0].uid, 'lock', { lock_reason: 'A court order of 20 Nov 2026' })
      await make('customers', others[1].uid, 'put under review')
      await make('customers', others[1].uid, 'review again')
      const own = (await all('transactions', { type: ['ach'], status: ['settled'] })).find(
        ({ transfer_uid, return_uid }) => transfer_uid !== null && return_uid === null,
      )
      const odd = ['<b onclick="alert(1)">Bold</b>', '\u202egnp.exe \u0000\u{1F4B8}', 'A'.repeat(10_000)]
      const hostile = (names) => Object.fromEntries(names.map((name, at) => [name, odd[at % odd.length]]))
      const long = await send('/customers', {
        external_uid: odd[0],
        email: odd[1],
        details: {
          ...hostile(['first_name', 'middle_name', 'last_name', 'suffix', 'phone', 'business_name', 'dob']),
          address: hostile(['street1', 'street2', 'city', 'state', 'postal_code']),
        },
      })
      const { seq: before } = await operate(line, 'world.describe')
      const brief = await send('/sandbox/mock_transactions', { ...ach, us_dollar_amount: 12 })
      return {
        ...first,
        account,
        received,
        own: own.uid,
        failed,
        vrn,
        locked: others[0].uid,
        review: others[1].uid,
        long,
        before,
        brief,
      }
    },
    states: [
      ['record-failed', ({ failed }) => `#/transactions/${failed}`],
      ['record-received', ({ received }) => `#/transactions/${received}`],
      ['record-return-form', ({ own }) => `#/transactions/${own}`, button('Return…')],
      [
        'record-return-missing',
        ({ own }) => `#/transactions/${own}`,
        button('Return…'),
        button('Return', { exact: true }),
      ],
      [
        'record-made',
        ({ own }) => `#/transactions/${own}`,
        button('Return…'),
        (page) => page.locator('section[aria-label=Moves] form select').first().selectOption({ index: 1 }),
        button('Return', { exact: true }),
        there('[data-move-result]'),
      ],
      [
        'record-lines',
        ({ account }) => `#/synthetic_accounts/${account}`,
        (page) => page.getByRole('region', { name: 'Line items' }).scrollIntoViewIfNeeded(),
      ],
      ['record-vrn-locked', ({ vrn }) => `#/virtual_reference_numbers/${vrn}`],
      ['record-locked', ({ locked }) => `#/customers/${locked}`],
      ['record-lock-form', ({ customer }) => `#/customers/${customer}`, button('Lock…')],
      ['record-review', ({ review }) => `#/customers/${review}`],
      ['record-review-form', ({ review }) => `#/customers/${review}`, button('Approve…')],
      ['record-long', ({ long }) => `#/customers/${long}`],
      ['record-long-whole', ({ long }) => `#/customers/${long}`, button(/^All 10,000/)],
      [
        'record-gone',
        ({ brief }) => `#/transactions/${brief}`,
        there('[data-standing]'),
        (_, line, { before }) => operate(line, 'world.rewind', { seq: before }),
        there('[data-notice]'),
      ],
      ['inject-done', '#/inject', inject, there('section[aria-label="The record"]')],
      ['inject-wrong', '#/inject', inForm('us_dollar_amount', '0'), inject, seen('Mend it, or send it')],
      [
        'inject-refused',
        '#/inject',
        inForm('customer_uid', 'nobodynobody1234'),
        keys('Escape'),
        inject,
        there('[data-answer-line]'),
      ],
      ['inject-vrn-done', '#/inject?kind=vrn', inject, there('section[aria-label="The record"]')],
      ['inject-customer', '#/inject?kind=customer', inject, there('section[aria-label="The record"]')],
      ['inject-onboard-done', '#/inject?kind=onboard', inject, there('[data-answer-line]')],
      ['inject-next', '#/inject?kind=transfer-fail', inject, there('section[aria-label="The record"]')],
      ['inject-times-wrong', '#/inject', times(500)],
      ['inject-batch', '#/inject', slowed(300), times(100), inject, seen(/of 100/)],
      ['inject-batch-done', '#/inject', (page) => page.unrouteAll(), times(100), inject, seen(/100 injected/)],
    ],
  },
  {
    world: 'demo',
    name: 'later',
    flags: ['--pace', 'real'],
    prepare: async (line) => {
      const first = await lived(line)
      await operate(line, 'programs.create', { name: 'Second Program' })
      await operate(line, 'clock.advance', { business_days: 2 })
      await operate(line, 'snapshots.keep', {
        name: 'A world kept under a name as long as the names of worlds may be',
      })
      await operate(line, 'snapshots.keep', { name: 'short' })
      return first
    },
    states: [
      ['accounts', '#/accounts'],
      ['time', '#/time'],
      ['customer-story', ({ customer }) => `#/customers/${customer}?tab=story`, told],
      ['record-way', ({ payment }) => `#/transactions/${payment}`],
      ['requests', '#/requests'],
      ['programs', '#/customers', clicked('button:has-text("Switch Program.")')],
      ['settings', '#/settings'],
      [
        'settings-saved',
        '#/settings',
        filled('minimum_amount', '25'),
        button('Save', { exact: true }),
        seen('Saved: 1 change.'),
      ],
      ['snapshots-long', '#/snapshots'],
      ['snapshots-restored', '#/snapshots', button('Restore short'), seen('short is restored')],
      [
        'snapshots-went-back',
        '#/snapshots?pane=history',
        clicked('[data-row]', 3),
        button(/^Go back to after/),
        seen(/^Back to after commit/),
      ],
      ['time-break', '#/time', button('Set', { exact: true }), seen(/^Freezes when/)],
      ['time-after', '#/time', button('1 business day'), seen(/tasks? ran\.$/)],
      [
        'time-advancing',
        '#/time',
        chosen('Advance by', 'business_days'),
        filled('Business days', '2600'),
        button('Advance', { exact: true }),
        seen('Ran so far'),
      ],
      [
        'lost',
        '#/customers',
        async (page, line) => {
          line.stop()
          await page.getByText('Connection lost').waitFor()
        },
      ],
    ],
  },
  {
    world: 'demo',
    name: 'played',
    states: [
      ['scenario-failed', '#/scenarios/fails', kept('fails', FAILS), run, seen('failed at step')],
      ['scenario-trouble', '#/scenarios/half', kept('half', TROUBLED), tab('Text'), seen('It cannot be run')],
      ['scenario-delete', '#/scenarios/fails', tab('Text'), button('Delete…')],
      [
        'scenario-changed',
        '#/scenarios/fails',
        tab('Text'),
        (page) => page.getByLabel('Text of fails').click(),
        typed('# by hand '),
        seen('changed, not saved'),
      ],
      ['scenario-own', '#/scenarios'],
      [
        'scenario-present',
        '#/scenarios/a-funded-customer',
        (page) => page.getByLabel('this world').check(),
        run,
        seen('has made room'),
      ],
      ['scenario-undone', '#/scenarios/a-funded-customer', seen('has made room'), button('Undo'), seen('Taken back')],
    ],
  },
]

/** Before the last Customer of the world was made. */
let beforeVanishing

/** Customers as they also are: names that are long, hostile, or run from right to left; in review, and archived. */
async function peopled(line) {
  const call = await caller(line)
  const made = async (external_uid, details) => {
    const { uid } = await call('POST', '/customers', { external_uid, customer_type: 'sole_proprietor', details })
    return uid
  }
  const long = await made('3f0c1c4e-6f2b-4b7e-9a51-2d9c0f7b8e10', {
    business_name: `${'Amalgamated Lighthouse and Harbor Provisions '.repeat(4)}Ltd`,
  })
  const rtl = await made('rtl', { business_name: 'مخبز الميناء القديم للخبز والحلويات' })
  const hostile = await made('<b>bold</b>', { business_name: '<img src=x onerror=alert(1)>\u202egnp.exe\u0000\n=1+1' })
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
  await operate(line, 'clock.advance', { business_days: 9 })
  beforeVanishing = (await operate(line, 'world.describe')).seq
  // A token is valid for a few hours of simulated time.
  const later = await caller(line)
  const { uid: vanishing } = await later('POST', '/customers', { details: { first_name: 'Ida', last_name: 'Vane' } })
  return { long, rtl, hostile, reviewed, archived, vanishing }
}

function plain(place) {
  return [place, `#/${place}`]
}
