import { click, waitFor, waitForText } from '../actions.mjs'

export const states = [
  ...['ach-credit', 'ach-debit', 'ach-iat', 'wire', 'wire-debit', 'instant', 'instant-debit', 'vrn', 'vrn-ach']
    .concat('vrn-ach-debit', 'vrn-instant', 'ach-return', 'kyc-minor', 'kyc-smith', 'kyc-johnson', 'vrn-fail')
    .concat('vrn-registration-fail', 'transfer-fail', 'ach-99', 'ach-98', 'instant-reject', 'onboard', 'transfer')
    .map((kind) => [`inject-${kind}`, `#/inject?kind=${kind}`, waitFor('main form')]),
  ['inject-decisions', '#/inject?kind=decisions', waitForText('Settled payments')],
  ['inject-more', '#/inject', click(/more fields$/)],
  ['inject-pick', '#/inject', (page) => page.locator('main form').getByLabel('customer_uid', { exact: true }).click()],
]
