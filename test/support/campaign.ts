/**
 * A campaign is a test whose size can be chosen; its file is named `*.campaign.test.ts`. `npm test` runs it in its short form and
 * `npm run test:long` in its long form.
 */

export const isLong = process.env.SANDBANK_CAMPAIGNS === 'long'

export const campaignSize = (short: number, long: number): number => (isLong ? long : short)
