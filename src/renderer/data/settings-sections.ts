/**
 * The sections of the settings, in their order, with the names of their settings and other words by which the palette finds them. Settings
 * that no section names are in `other`.
 */
export const settingsSections = [
  ['program', 'Program', 'name uid'],
  ['key', 'HMAC key', 'rotate secret signature'],
  ['tokens', 'Access tokens', 'expire'],
  [
    'access',
    'Access',
    'allowlist customer_types client_is_customer accepts_client_verified strict token_clock tokens_in_all_worlds webhook_hosts trace_ids_optional shows_nulls',
  ],
  [
    'open',
    'Undecided by the platform',
    'hard_mode repeated_trace_id accepts_bearer list_order maximum_limit repeated_external_uid book_transfer_events seed drawn assumption',
  ],
  [
    'payments',
    'Payments',
    'transaction_types rails_need_products routing_number wire_addresses pre_funding returns combined_transfers shows_iat vrn_cooldown_minutes',
  ],
  ['queue', 'Queue', 'queue_minutes ach wire instant_payment book'],
  ['authorization', 'Authorization', 'client_authorization authorization_hours unanswered_authorization'],
  [
    'limits',
    'Payment limits',
    'limits ach wire instant_payment minimum_amount maximum_amount daily_count daily_amount daily limit maximum',
  ],
  [
    'accounts',
    'Synthetic Account limits',
    'account_limits general_accounts one_external_account external_accounts minutes_between_external_accounts same_external_account ach_external_accounts',
  ],
  ['other', 'Other', ''],
  ['products', 'Products', 'rails prerequisites'],
  ['types', 'Synthetic Account Types', 'categories'],
  ['window', 'This window', 'theme light dark'],
  ['sandbox', 'This sandbox', 'version data folder port'],
] as const

export type SettingsSection = (typeof settingsSections)[number][0]
