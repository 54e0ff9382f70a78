import { click, clickAt, clickExact, fill } from '../actions.mjs'

export const states = [
  ['settings', '#/settings'],
  ['settings-key', '#/settings', click('Show the key')],
  ['settings-key-wrong', '#/settings', fill('new key', 'too short'), click('Rotate')],
  ['settings-products', '#/settings?part=products', clickAt('#part-products summary')],
  [
    'settings-questions',
    '#/settings?part=products',
    clickAt('#part-products summary'),
    (page) => page.getByText('profile_requirements').first().scrollIntoViewIfNeeded(),
  ],
  [
    'settings-refused',
    '#/settings?part=products',
    clickAt('#part-products summary'),
    click(/^Withdraw Business/),
    clickExact('Save'),
    (page) => page.getByRole('alert').first().waitFor(),
  ],
  ['settings-types', '#/settings?part=types'],
  [
    'settings-types-edited',
    '#/settings?part=types',
    clickAt('#part-types summary'),
    (page) => page.locator('#part-types').getByLabel('description').first().fill('Held here'),
    click('Add a type'),
  ],
  ['settings-limits', '#/settings?part=limits'],
  ['settings-window', '#/settings?part=window'],
  ['settings-sandbox', '#/settings?part=sandbox'],
  ['settings-changed', '#/settings', fill('minimum_amount', '25')],
  ['settings-wrong', '#/settings', fill('minimum_amount', 'a lot')],
  ['settings-new', '#/settings', click(/^New Program/)],
]
