/** The sections of the settings, in their order; the palette opens each. Settings of no section are in `other`. */
export const settingsSections = [
  ['program', 'Program'],
  ['key', 'HMAC key'],
  ['tokens', 'Access tokens'],
  ['access', 'Access'],
  ['payments', 'Payments'],
  ['queue', 'Queue'],
  ['authorization', 'Authorization'],
  ['limits', 'Payment limits'],
  ['accounts', 'Synthetic Account limits'],
  ['other', 'Other'],
  ['products', 'Products'],
  ['types', 'Synthetic Account Types'],
  ['window', 'This window'],
  ['sandbox', 'This sandbox'],
] as const
