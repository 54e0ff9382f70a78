// Written by npm run openapi (scripts/types.mjs) from the contract of the API and of the control API. Do not edit.

/** A page of a list. */
export interface List<T> {
  /** Items that match */
  total_count: number
  /** Items in this response */
  count: number
  limit: number
  offset: number
  data: T[]
}

export interface AccessToken {
  /** The access token. The whole value goes into the Authorization header of every other request. */
  token: string
}

export interface ErrorBody {
  errors: ({
    code: number
    title: string
    detail: string
    occurred_at: string
    extra?: string | undefined
  })[]
  status: number
}

export interface CustomerSummary {
  /** Identifier created by the service */
  uid: string
  external_uid: string | null
  activated_at?: string | undefined
  created_at: string
  archived_at: string | null
  customer_type: 'primary' | 'secondary' | 'sole_proprietor' | 'sub_ledger'
  email?: string | undefined
  /** If true, kyc_status is pre_verified */
  client_verified: boolean
  kyc_status: 'approved' | 'denied' | 'documents_provided' | 'documents_rejected' | 'manual_review' | 'pending_id_documents' | 'pending_poa_documents' | 'pending_idandpoa_documents' | 'retake_images' | 'pre_verified' | null
  kyc_status_reasons: ('Approved' | 'Valid Documents Provided' | 'Archived due to application inactivity' | 'Further review required' | 'Minor (age < 18 years)' | 'Invalid Documents submitted multiple times' | 'Minimum requirements to open an account were not met' | 'Invalid documents' | 'Incorrect document provided for ID document' | 'Expired ID' | 'Illegible ID document' | 'Incorrect document provided for POA document' | 'Invalid POA provided' | 'Illegible POA document')[] | null
  /** Null if and only if locked_at is null */
  lock_reason: string | null
  locked_at: string | null
  /** Last time PII was confirmed */
  pii_confirmed_at?: string | undefined
  pool_uids: string[]
  /** Null unless customer_type is secondary */
  primary_customer_uid: string | null
  /** Null unless customer_type is primary */
  secondary_customer_uids: string[] | null
  profile_responses: ({
    profile_requirement: string
    profile_response: string
    /** Identifier created by the service */
    profile_requirement_uid: string
  })[]
  /** Identifier created by the service */
  program_uid: string
  status: 'initiated' | 'queued' | 'identity_verified' | 'active' | 'manual_review' | 'rejected' | 'pending_archival' | 'archived' | 'under_review'
  /** Total assets in US dollars; may be negative */
  total_balance: string
  details: {
    first_name: string | null
    middle_name: string | null
    last_name: string | null
    suffix: string | null
    /** Exactly 10 digits */
    phone: string | null
    /** Stored only for a sole_proprietor */
    business_name: string | null
  }
}

export interface CreateCustomer {
  /** Default primary. Cannot change later. */
  customer_type?: 'primary' | 'secondary' | 'sole_proprietor' | undefined
  /** Required for, and only applicable to, secondary */
  primary_customer_uid?: string | null | undefined
  /** Default false */
  client_verified?: boolean | null | undefined
  external_uid?: string | null | undefined
  email?: string | null | undefined
  details?: CustomerDetailsInput | null | undefined
  profile_responses?: ({
    /** Identifier created by the service */
    profile_requirement_uid: string
    /** One value; for an ordered list, a list or an object { "0": …, "1": … }; null removes it */
    profile_response: string | number | string[] | Record<string, unknown> | null
  })[] | null | undefined
}

export interface CustomerDetailsInput {
  /** 1-40 characters */
  first_name?: string | null | undefined
  /** 1-40 characters */
  middle_name?: string | null | undefined
  /** 1-40 characters */
  last_name?: string | null | undefined
  /** 1-30 characters */
  suffix?: string | null | undefined
  /** Exactly 10 digits */
  phone?: string | null | undefined
  /** 1-256 alphanumeric characters; stored only for a sole_proprietor */
  business_name?: string | null | undefined
  /** ddd-dd-dddd, or a tax identifier */
  ssn?: string | null | undefined
  /** YYYY-MM-DD */
  dob?: string | null | undefined
  address?: {
    /** At most 35 characters */
    street1?: string | null | undefined
    /** At most 35 characters */
    street2?: string | null | undefined
    /** At most 35 characters */
    city?: string | null | undefined
    /** US state, two letters */
    state?: string | null | undefined
    /** ZIP, or ZIP+4 */
    postal_code?: string | null | undefined
  } | null | undefined
}

export interface Customer {
  /** Identifier created by the service */
  uid: string
  external_uid: string | null
  activated_at?: string | undefined
  created_at: string
  archived_at: string | null
  customer_type: 'primary' | 'secondary' | 'sole_proprietor' | 'sub_ledger'
  email?: string | undefined
  /** If true, kyc_status is pre_verified */
  client_verified: boolean
  kyc_status: 'approved' | 'denied' | 'documents_provided' | 'documents_rejected' | 'manual_review' | 'pending_id_documents' | 'pending_poa_documents' | 'pending_idandpoa_documents' | 'retake_images' | 'pre_verified' | null
  kyc_status_reasons: ('Approved' | 'Valid Documents Provided' | 'Archived due to application inactivity' | 'Further review required' | 'Minor (age < 18 years)' | 'Invalid Documents submitted multiple times' | 'Minimum requirements to open an account were not met' | 'Invalid documents' | 'Incorrect document provided for ID document' | 'Expired ID' | 'Illegible ID document' | 'Incorrect document provided for POA document' | 'Invalid POA provided' | 'Illegible POA document')[] | null
  /** Null if and only if locked_at is null */
  lock_reason: string | null
  locked_at: string | null
  /** Last time PII was confirmed */
  pii_confirmed_at?: string | undefined
  pool_uids: string[]
  /** Null unless customer_type is secondary */
  primary_customer_uid: string | null
  /** Null unless customer_type is primary */
  secondary_customer_uids: string[] | null
  profile_responses: ({
    profile_requirement: string
    profile_response: string
    /** Identifier created by the service */
    profile_requirement_uid: string
  })[]
  /** Identifier created by the service */
  program_uid: string
  status: 'initiated' | 'queued' | 'identity_verified' | 'active' | 'manual_review' | 'rejected' | 'pending_archival' | 'archived' | 'under_review'
  /** Total assets in US dollars; may be negative */
  total_balance: string
  details: CustomerDetails
}

export interface CustomerDetails {
  first_name: string | null
  middle_name: string | null
  last_name: string | null
  suffix: string | null
  /** Exactly 10 digits */
  phone: string | null
  /** Stored only for a sole_proprietor */
  business_name: string | null
  /** Never in a response */
  ssn?: string | undefined
  /** Last four digits; the SSN itself is write-only */
  ssn_last_four: string | null
  dob: string | null
  address?: Address | undefined
}

export interface Address {
  street1: string | null
  street2: string | null
  city: string | null
  /** US state, two letters */
  state: string | null
  /** ZIP, or ZIP+4 */
  postal_code: string | null
}

export interface ArchiveCustomer {
  /** Free note */
  archive_note?: string | null | undefined
  /** Default true; false prevents reapplying */
  can_apply_again?: boolean | null | undefined
  /** An active external account; required if the Customer has several */
  destination_synthetic_account_uid?: string | null | undefined
}

export interface UpdateCustomer {
  external_uid?: string | null | undefined
  email?: string | null | undefined
  details?: CustomerDetailsInput | null | undefined
  profile_responses?: ({
    /** Identifier created by the service */
    profile_requirement_uid: string
    /** One value; for an ordered list, a list or an object { "0": …, "1": … }; null removes it */
    profile_response: string | number | string[] | Record<string, unknown> | null
  })[] | null | undefined
}

export interface Pool {
  /** Identifier created by the service */
  uid: string
  name: string
  /** Identifier created by the service */
  owner_customer_uid: string
  customer_uids: string[]
}

export interface Product {
  /** Identifier created by the service */
  uid: string
  name: string
  description: string
  /** Identifier created by the service */
  product_compliance_plan_uid: string
  compliance_plan_name: string
  customer_types: ('primary' | 'secondary' | 'sole_proprietor' | 'sub_ledger')[]
  prerequisite_product_uids: string[]
  profile_requirements: ({
    /** Identifier created by the service */
    profile_requirement_uid: string
    profile_requirement: string
    category: string
    required: boolean
    requirement_type: 'fixed_list' | 'integer_greater' | 'ordered_list' | 'number' | 'string'
    response_values: string[]
  })[]
  /** Identifier created by the service */
  program_uid: string
  required_fields: ({
    customer_type: 'primary' | 'secondary' | 'sole_proprietor' | 'sub_ledger'
    fields: string[]
  })[]
}

export interface CustomerProduct {
  /** Identifier created by the service */
  uid: string
  status: 'created' | 'active' | 'manual_review' | 'rejected'
  /** Identifier created by the service */
  customer_uid: string
  customer_email?: string | undefined
  /** Identifier created by the service */
  product_uid: string
  product_name: string
  /** Identifier created by the service */
  program_uid: string
  activated_at?: string | undefined
}

export interface OnboardCustomer {
  /** Identifier created by the service */
  customer_uid: string
  /** Identifier created by the service */
  product_uid: string
}

export interface CustodialAccountSummary {
  /** Identifier created by the service */
  uid: string
  external_uid?: string | undefined
  /** Identifier created by the service */
  customer_uid: string
  /** Identifier created by the service */
  pool_uid: string
  type: 'dda' | 'dda_cash_external' | 'dda_cash_received'
  liability: boolean
  name: string | null
  primary_account: boolean
  status: 'active' | 'archived' | null
  account_errors: ({
    error_code: string
    error_name: string
    error_description: string
  } | null)[]
  /** Settled */
  net_usd_balance: string | null
  /** Sum of pending payments */
  net_usd_pending_balance: string | null
  /** Settled, less pending withdrawals */
  net_usd_available_balance: string | null
  net_usd_closing_balance: string | null
  net_usd_closing_balance_as_of?: string | null | undefined
  asset_balances: ({
    asset_quantity: string
    asset_type: string
    /** US dollars with two decimals */
    current_usd_value: string
    debit: boolean
  })[] | null
  routing_number: string | null
  account_number_masked: string | null
  opened_at: string
  closed_at: string | null
}

export interface CustodialAccount {
  /** Identifier created by the service */
  uid: string
  external_uid?: string | undefined
  /** Identifier created by the service */
  customer_uid: string
  /** Identifier created by the service */
  pool_uid: string
  type: 'dda' | 'dda_cash_external' | 'dda_cash_received'
  liability: boolean
  name: string | null
  primary_account: boolean
  status: 'active' | 'archived' | null
  account_errors: ({
    error_code: string
    error_name: string
    error_description: string
  } | null)[]
  /** Settled */
  net_usd_balance: string | null
  /** Sum of pending payments */
  net_usd_pending_balance: string | null
  /** Settled, less pending withdrawals */
  net_usd_available_balance: string | null
  net_usd_closing_balance: string | null
  net_usd_closing_balance_as_of?: string | null | undefined
  asset_balances: ({
    asset_quantity: string
    asset_type: string
    /** US dollars with two decimals */
    current_usd_value: string
    debit: boolean
  })[] | null
  routing_number: string | null
  account_number_masked: string | null
  opened_at: string
  closed_at: string | null
  account_number: string | null
  company_ids?: string[] | undefined
}

export interface SyntheticAccountType {
  /** Identifier created by the service */
  uid: string
  name: string
  description: string
  /** Identifier created by the service */
  program_uid: string
  synthetic_account_category: 'general' | 'ach_external' | 'instant_payment_external' | 'wire_external'
}

export interface SyntheticAccountSummary {
  /** Identifier created by the service */
  uid: string
  /** Identifier chosen by the Client */
  external_uid?: string | undefined
  name: string
  /** Identifier created by the service */
  pool_uid: string
  /** Identifier created by the service */
  synthetic_account_type_uid: string
  custodial_account_uids: string[]
  synthetic_account_category: 'general' | 'ach_external' | 'instant_payment_external' | 'wire_external'
  status: 'initiated' | 'active' | 'archived' | 'failed'
  liability: boolean
  /** Settled */
  net_usd_balance: string | null
  /** Sum of pending payments */
  net_usd_pending_balance: string | null
  /** Settled, less pending withdrawals */
  net_usd_available_balance: string | null
  net_usd_closing_balance: string | null
  net_usd_closing_balance_as_of?: string | null | undefined
  asset_balances: ({
    asset_quantity: string
    asset_type: string
    /** US dollars with two decimals */
    current_usd_value: string
    debit: boolean
    /** Identifier created by the service */
    custodial_account_uid: string
    custodial_account_name: string
  })[] | null
  master_account: boolean
  routing_number: string | null
  account_number_last_four: string | null
  opened_at?: string | undefined
  closed_at: string | null
  ach?: {
    account_type: 'checking' | 'savings'
    counterparty_name: string
  } | null | undefined
  instant_payment?: {
    counterparty_name: string
    email?: string | null | undefined
    phone?: string | null | undefined
  } | null | undefined
  wire?: {
    counterparty_name: string
    counterparty_bank_name?: string | null | undefined
    counterparty_bank_address?: {
      line1?: string | null | undefined
      line2?: string | null | undefined
      line3?: string | null | undefined
      country?: string | null | undefined
    } | null | undefined
  } | null | undefined
}

export interface CreateSyntheticAccount {
  external_uid?: string | null | undefined
  name: string
  /** Identifier created by the service */
  pool_uid: string
  /** Identifier created by the service */
  synthetic_account_type_uid: string
  routing_number?: string | null | undefined
  account_number?: string | null | undefined
  /** Accepted, but not used */
  external_processor_token?: string | null | undefined
  ach?: {
    account_type: 'checking' | 'savings'
    counterparty_name: string
  } | null | undefined
  instant_payment?: {
    counterparty_address: {
      street_number: string
      street1: string
      street2?: string | null | undefined
      city: string | null
      state: string | null
      postal_code: string | null
      country: string | null
    }
    counterparty_name: string
    email?: string | null | undefined
    phone?: string | null | undefined
  } | null | undefined
  wire?: {
    counterparty_name: string
    counterparty_address?: {
      line1?: string | null | undefined
      line2?: string | null | undefined
      line3?: string | null | undefined
      country?: string | null | undefined
      building_number?: string | null | undefined
      street_name?: string | null | undefined
      /** Required in a structured address */
      city?: string | null | undefined
      state?: string | null | undefined
      postal_code?: string | null | undefined
    } | null | undefined
    counterparty_bank_name?: string | null | undefined
    counterparty_bank_address?: {
      line1?: string | null | undefined
      line2?: string | null | undefined
      line3?: string | null | undefined
      country?: string | null | undefined
    } | null | undefined
  } | null | undefined
}

export interface SyntheticAccount {
  /** Identifier created by the service */
  uid: string
  /** Identifier chosen by the Client */
  external_uid?: string | undefined
  name: string
  /** Identifier created by the service */
  pool_uid: string
  /** Identifier created by the service */
  synthetic_account_type_uid: string
  custodial_account_uids: string[]
  synthetic_account_category: 'general' | 'ach_external' | 'instant_payment_external' | 'wire_external'
  status: 'initiated' | 'active' | 'archived' | 'failed'
  liability: boolean
  /** Settled */
  net_usd_balance: string | null
  /** Sum of pending payments */
  net_usd_pending_balance: string | null
  /** Settled, less pending withdrawals */
  net_usd_available_balance: string | null
  net_usd_closing_balance: string | null
  net_usd_closing_balance_as_of?: string | null | undefined
  asset_balances: ({
    asset_quantity: string
    asset_type: string
    /** US dollars with two decimals */
    current_usd_value: string
    debit: boolean
    /** Identifier created by the service */
    custodial_account_uid: string
    custodial_account_name: string
  })[] | null
  master_account: boolean
  routing_number: string | null
  account_number_last_four: string | null
  opened_at?: string | undefined
  closed_at: string | null
  /** null for external categories */
  account_number: string | null
  ach?: {
    account_type: 'checking' | 'savings'
    counterparty_name: string
  } | undefined
  instant_payment?: {
    counterparty_address: {
      street_number: string
      street1: string
      street2?: string | null | undefined
      city: string | null
      state: string | null
      postal_code: string | null
      country: string | null
    }
    counterparty_name: string
    email?: string | null | undefined
    phone?: string | null | undefined
  } | undefined
  wire?: {
    counterparty_name: string
    counterparty_address?: {
      line1?: string | null | undefined
      line2?: string | null | undefined
      line3?: string | null | undefined
      country?: string | null | undefined
      building_number?: string | null | undefined
      street_name?: string | null | undefined
      /** Required in a structured address */
      city?: string | null | undefined
      state?: string | null | undefined
      postal_code?: string | null | undefined
    } | null | undefined
    counterparty_bank_name?: string | null | undefined
    counterparty_bank_address?: {
      line1?: string | null | undefined
      line2?: string | null | undefined
      line3?: string | null | undefined
      country?: string | null | undefined
    } | null | undefined
  } | undefined
}

export interface UpdateSyntheticAccount {
  external_uid?: string | null | undefined
  name?: string | undefined
  /** Identifier created by the service */
  pool_uid?: string | undefined
  /** Identifier created by the service */
  synthetic_account_type_uid?: string | undefined
  routing_number?: string | null | undefined
  account_number?: string | null | undefined
  /** Accepted, but not used */
  external_processor_token?: string | null | undefined
  ach?: {
    account_type?: 'checking' | 'savings' | undefined
    counterparty_name?: string | undefined
  } | null | undefined
  instant_payment?: {
    counterparty_address?: {
      street_number: string
      street1: string
      street2?: string | null | undefined
      city: string | null
      state: string | null
      postal_code: string | null
      country: string | null
    } | undefined
    counterparty_name?: string | undefined
    email?: string | null | undefined
    phone?: string | null | undefined
  } | null | undefined
  wire?: {
    counterparty_name?: string | undefined
    counterparty_address?: {
      line1?: string | null | undefined
      line2?: string | null | undefined
      line3?: string | null | undefined
      country?: string | null | undefined
      building_number?: string | null | undefined
      street_name?: string | null | undefined
      /** Required in a structured address */
      city?: string | null | undefined
      state?: string | null | undefined
      postal_code?: string | null | undefined
    } | null | undefined
    counterparty_bank_name?: string | null | undefined
    counterparty_bank_address?: {
      line1?: string | null | undefined
      line2?: string | null | undefined
      line3?: string | null | undefined
      country?: string | null | undefined
    } | null | undefined
  } | null | undefined
  /** The reason for the change; required */
  note?: string | undefined
}

export interface TransferSummary {
  /** Identifier created by the service */
  uid: string
  /** Identifier chosen by the Client */
  external_uid?: string | undefined
  /** Identifier created by the service */
  source_synthetic_account_uid: string
  /** Identifier created by the service */
  destination_synthetic_account_uid: string
  /** Identifier created by the service */
  initiating_customer_uid: string
  /** Identifier created by the service */
  destination_customer_uid: string
  status: 'queued' | 'pending' | 'settled' | 'failed' | 'canceled'
  initiator_type: 'customer' | 'transmitter'
  created_at: string
  /** Only if the Program queues payments of this rail */
  queued_until?: string | undefined
  /** At least one, also in the response to the creation */
  transaction_uids: string[]
  /** US dollars with two decimals */
  usd_transfer_amount: string
  /** Only after an attempt to cancel */
  cancellation?: {
    authorized_representative_name?: string | undefined
    cancellation_reason?: string | undefined
    current_cancellation_status: 'pending_cancellation' | 'successful_cancellation' | 'failed_cancellation'
    cancellation_requested_at: string
    cancellation_succeeded_at?: string | undefined
    cancellation_failed_at?: string | undefined
  } | undefined
  ach?: {
    originator_name?: string | undefined
    company_id?: string | undefined
    company_discretionary_data?: string | undefined
    prenote?: boolean | undefined
    sec_code?: 'CCD' | 'CIE' | 'PPD' | 'TEL' | 'WEB' | undefined
    /** Recurring, single, or single by telephone */
    payment_type?: 'R' | 'S' | 'ST' | undefined
    entry_description?: string | undefined
    service_processing?: 'SAMEDAY' | 'STANDARD' | undefined
    effective_entry_date?: string | undefined
    id_number?: string | undefined
  } | undefined
  instant_payment?: {
    instant_payment_transmitter?: {
      name: string
      transmitter_identifier?: string | undefined
      street_number: string
      street1: string
      city: string | null
      state: string | null
      postal_code: string | null
      country: string | null
    } | undefined
  } | undefined
  wire?: {
    intermediary_bank_name?: string | undefined
    intermediary_bank_address?: {
      line1?: string | null | undefined
      line2?: string | null | undefined
      line3?: string | null | undefined
      country?: string | null | undefined
    } | undefined
    intermediary_bank_routing_number?: string | undefined
    wire_transmitter?: {
      name: string
      transmitter_identifier: string
      /** Required unless the address is structured; may be null */
      line1?: string | null | undefined
      line2?: string | null | undefined
      line3?: string | null | undefined
      country: string
      building_number?: string | null | undefined
      street_name?: string | null | undefined
      /** Required in a structured address */
      city?: string | null | undefined
      state?: string | null | undefined
      postal_code?: string | null | undefined
    } | undefined
  } | undefined
}

export interface CreateTransfer {
  external_uid?: string | null | undefined
  /** Identifier created by the service */
  source_synthetic_account_uid: string
  /** Identifier created by the service */
  destination_synthetic_account_uid: string
  /** Identifier created by the service */
  initiating_customer_uid: string
  /** Default: the initiating Customer */
  destination_customer_uid?: string | null | undefined
  /** US dollars; at most two decimals; 0.00 for a prenote */
  usd_transfer_amount: string | number
  /** Default customer: transmitters are ignored */
  initiator_type?: 'customer' | 'transmitter' | null | undefined
  /** One of the company_ids of the Custodial Account; also taken within ach */
  company_id?: string | null | undefined
  /** Also taken within wire */
  wire_transmitter?: {
    name: string
    transmitter_identifier: string
    /** Required unless the address is structured; may be null */
    line1?: string | null | undefined
    line2?: string | null | undefined
    line3?: string | null | undefined
    country: string
    building_number?: string | null | undefined
    street_name?: string | null | undefined
    /** Required in a structured address */
    city?: string | null | undefined
    state?: string | null | undefined
    postal_code?: string | null | undefined
  } | null | undefined
  /** Also taken within instant_payment */
  instant_payment_transmitter?: {
    name: string
    transmitter_identifier: string
    street_number: string
    street1: string
    city: string | null
    state: string | null
    postal_code: string | null
    country: string | null
  } | null | undefined
  ach?: {
    originator_name: string
    company_id?: string | null | undefined
    company_discretionary_data?: string | null | undefined
    /** Default false */
    prenote?: boolean | null | undefined
    sec_code: 'CCD' | 'CIE' | 'PPD' | 'TEL' | 'WEB'
    payment_type?: 'R' | 'S' | 'ST' | null | undefined
    entry_description: string
    service_processing: 'SAMEDAY' | 'STANDARD'
    /** Today, or at most 30 days ahead */
    effective_entry_date: string
    /** At most 15 characters; for CIE required, and at most 22 */
    id_number?: string | null | undefined
    /** Not with TEL */
    addenda?: string | null | undefined
  } | null | undefined
  instant_payment?: {
    /** Required if initiator_type is transmitter */
    instant_payment_transmitter?: {
      name: string
      transmitter_identifier: string
      street_number: string
      street1: string
      city: string | null
      state: string | null
      postal_code: string | null
      country: string | null
    } | null | undefined
    memo?: string | null | undefined
    purpose_of_payment?: 'NOWS' | 'GDDS' | 'SCVE' | 'INSC' | 'INSM' | 'INVS' | 'PAYR' | 'UBIL' | 'PDEP' | 'ACCT' | 'CBLK' | 'MP2P' | '' | null | undefined
  } | null | undefined
  wire?: {
    intermediary_bank_name?: string | null | undefined
    intermediary_bank_address?: {
      line1?: string | null | undefined
      line2?: string | null | undefined
      line3?: string | null | undefined
      country?: string | null | undefined
    } | null | undefined
    /** Required if the name or the address is given */
    intermediary_bank_routing_number?: string | null | undefined
    wire_instructions?: string | null | undefined
    /** Required if initiator_type is transmitter */
    wire_transmitter?: {
      name: string
      transmitter_identifier: string
      /** Required unless the address is structured; may be null */
      line1?: string | null | undefined
      line2?: string | null | undefined
      line3?: string | null | undefined
      country: string
      building_number?: string | null | undefined
      street_name?: string | null | undefined
      /** Required in a structured address */
      city?: string | null | undefined
      state?: string | null | undefined
      postal_code?: string | null | undefined
    } | null | undefined
  } | null | undefined
}

export interface Transfer {
  /** Identifier created by the service */
  uid: string
  /** Identifier chosen by the Client */
  external_uid?: string | undefined
  /** Identifier created by the service */
  source_synthetic_account_uid: string
  /** Identifier created by the service */
  destination_synthetic_account_uid: string
  /** Identifier created by the service */
  initiating_customer_uid: string
  /** Identifier created by the service */
  destination_customer_uid: string
  status: 'queued' | 'pending' | 'settled' | 'failed' | 'canceled'
  initiator_type: 'customer' | 'transmitter'
  created_at: string
  /** Only if the Program queues payments of this rail */
  queued_until?: string | undefined
  /** At least one, also in the response to the creation */
  transaction_uids: string[]
  /** US dollars with two decimals */
  usd_transfer_amount: string
  /** Only after an attempt to cancel */
  cancellation?: {
    authorized_representative_name?: string | undefined
    cancellation_reason?: string | undefined
    current_cancellation_status: 'pending_cancellation' | 'successful_cancellation' | 'failed_cancellation'
    cancellation_requested_at: string
    cancellation_succeeded_at?: string | undefined
    cancellation_failed_at?: string | undefined
  } | undefined
  ach?: {
    originator_name?: string | undefined
    company_id?: string | undefined
    company_discretionary_data?: string | undefined
    prenote?: boolean | undefined
    sec_code?: 'CCD' | 'CIE' | 'PPD' | 'TEL' | 'WEB' | undefined
    /** Recurring, single, or single by telephone */
    payment_type?: 'R' | 'S' | 'ST' | undefined
    entry_description?: string | undefined
    service_processing?: 'SAMEDAY' | 'STANDARD' | undefined
    effective_entry_date?: string | undefined
    id_number?: string | undefined
    transfer_trace_id?: string | undefined
    addenda?: string | undefined
  } | undefined
  instant_payment?: {
    instant_payment_transmitter?: {
      name: string
      transmitter_identifier?: string | undefined
      street_number: string
      street1: string
      city: string | null
      state: string | null
      postal_code: string | null
      country: string | null
    } | undefined
    memo?: string | null | undefined
    /** The kind of an instant payment that the Client sends; "" if it has none */
    purpose_of_payment?: 'NOWS' | 'GDDS' | 'SCVE' | 'INSC' | 'INSM' | 'INVS' | 'PAYR' | 'UBIL' | 'PDEP' | 'ACCT' | 'CBLK' | 'MP2P' | '' | undefined
  } | undefined
  wire?: {
    intermediary_bank_name?: string | undefined
    intermediary_bank_address?: {
      line1?: string | null | undefined
      line2?: string | null | undefined
      line3?: string | null | undefined
      country?: string | null | undefined
    } | undefined
    intermediary_bank_routing_number?: string | undefined
    wire_transmitter?: {
      name: string
      transmitter_identifier: string
      /** Required unless the address is structured; may be null */
      line1?: string | null | undefined
      line2?: string | null | undefined
      line3?: string | null | undefined
      country: string
      building_number?: string | null | undefined
      street_name?: string | null | undefined
      /** Required in a structured address */
      city?: string | null | undefined
      state?: string | null | undefined
      postal_code?: string | null | undefined
    } | undefined
    wire_instructions?: string | undefined
  } | undefined
}

export interface CancelTransfer {
  authorized_representative_name?: string | null | undefined
  cancellation_reason?: string | null | undefined
}

export interface TransactionSummary {
  /** Identifier created by the service */
  uid: string
  /** Counter in order of creation */
  id: number
  /** Identifier created by the service */
  customer_uid: string
  /** Identifier created by the service */
  source_synthetic_account_uid: string
  /** Identifier created by the service */
  destination_synthetic_account_uid: string
  custodial_account_uids: string[]
  type: 'ach' | 'ach_return' | 'atm_withdrawal' | 'book_transfer' | 'card_load' | 'card_purchase' | 'card_refund' | 'cash_load' | 'corporate_action' | 'credit' | 'denied_authorization' | 'dispute' | 'fee' | 'initiated_ach_return' | 'initiated_ach_reversal' | 'initiated_wire_return' | 'instant_payment' | 'interest' | 'other' | 'peer_to_peer_transfer' | 'reversal' | 'reversed_transfer' | 'set_account_balance' | 'wire'
  status: 'queued' | 'pending' | 'settled' | 'failed' | 'canceled' | 'denied' | 'expired' | 'authorization_pending' | 'authorization_denied'
  /** Never negative; net_asset is the direction */
  us_dollar_amount: string
  net_asset: 'positive' | 'negative' | 'neutral'
  description: string
  /** Null if the payment came from outside */
  transfer_uid: string | null
  return_uid: string | null
  adjustment_uid: string | null
  transaction_batch_uid: string | null
  /** Identifier created by the service */
  virtual_reference_number_uid?: string | undefined
  transaction_event_uids: string[]
  /** Counter in order of settlement */
  settled_index: number | null
  created_at: string
  initial_action_at: string
  settled_at?: string | undefined
  /** When it was posted to a bank statement */
  statement_posted_at: string | null
  authorization?: Authorization | undefined
  ach?: {
    originator_name?: string | undefined
    company_id?: string | undefined
    company_discretionary_data?: string | undefined
    prenote?: boolean | undefined
    sec_code?: 'CCD' | 'CIE' | 'PPD' | 'TEL' | 'WEB' | undefined
    /** Recurring, single, or single by telephone */
    payment_type?: 'R' | 'S' | 'ST' | undefined
    entry_description?: string | undefined
    service_processing?: 'SAMEDAY' | 'STANDARD' | undefined
    effective_entry_date?: string | undefined
    id_number?: string | undefined
    originator_routing_number?: string | undefined
    counterparty_name?: string | undefined
    transfer_trace_id?: string | undefined
    ach_return_code?: string | undefined
    ach_return_reason?: string | undefined
    noc_code?: string | undefined
    noc_reason?: string | undefined
    iat?: {
      foreign_exchange_indicator?: string | undefined
      foreign_exchange_reference_indicator?: string | undefined
      foreign_exchange_reference?: string | null | undefined
      iso_destination_country_code?: string | undefined
      iso_originating_currency_code?: string | undefined
      iso_destination_currency_code?: string | undefined
      transaction_code?: string | undefined
      transaction_type_code?: string | undefined
      foreign_payment_amount?: string | null | undefined
      foreign_trace_number?: string | null | undefined
      originator_street_address?: string | undefined
      originator_city_state_province?: string | undefined
      originator_country_postal_code?: string | undefined
      odfi_name?: string | undefined
      odfi_identification_number_qualifier?: string | undefined
      odfi_id?: string | undefined
      odfi_branch_country_code?: string | undefined
      rdfi_name?: string | undefined
      rdfi_identification_number_qualifier?: string | undefined
      rdfi_id?: string | undefined
      rdfi_branch_country_code?: string | undefined
      counterparty_street_address?: string | undefined
      counterparty_city_state_province?: string | undefined
      counterparty_country_postal_code?: string | undefined
      payment_related_information_1?: string | null | undefined
      payment_related_information_2?: string | null | undefined
      foreign_correspondent_banks?: ({
        name?: string | undefined
        id_number_qualifier?: string | undefined
        id_number?: string | undefined
        branch_country_code?: string | undefined
      })[] | undefined
    } | undefined
  } | undefined
  instant_payment?: {
    network_transaction_id?: string | undefined
    network?: 'tch' | 'fednow' | undefined
    failure_code?: string | undefined
    failure_reason?: string | undefined
    counterparty_name?: string | undefined
    counterparty_bank_name?: string | undefined
    counterparty_bank_routing_number?: string | undefined
    counterparty_bank_address?: {
      street_number: string
      street1: string
      street2?: string | null | undefined
      city: string | null
      state: string | null
      postal_code: string | null
      country: string | null
    } | null | undefined
    counterparty_account_number_last_four?: string | undefined
    payment_id?: string | undefined
    original_end_to_end_id?: string | null | undefined
    initiating_party_name?: string | undefined
    /** @deprecated */
    transmitter_name?: string | undefined
    instant_payment_transmitter?: {
      name: string
      transmitter_identifier?: string | undefined
      street_number: string
      street1: string
      city: string | null
      state: string | null
      postal_code: string | null
      country: string | null
    } | undefined
  } | undefined
  wire?: {
    counterparty_name: string
    counterparty_bank_name?: string | null | undefined
    counterparty_bank_address?: {
      line1?: string | null | undefined
      line2?: string | null | undefined
      line3?: string | null | undefined
      country?: string | null | undefined
    } | null | undefined
    counterparty_bank_routing_number?: string | undefined
    intermediary_bank_name?: string | undefined
    intermediary_bank_address?: {
      line1?: string | null | undefined
      line2?: string | null | undefined
      line3?: string | null | undefined
      country?: string | null | undefined
    } | undefined
    intermediary_bank_routing_number?: string | undefined
    /** Of chips, imad and uetr at most one is set */
    chips?: string | null | undefined
    imad?: string | null | undefined
    uetr?: string | null | undefined
    bank_to_bank_info?: string | null | undefined
    originator_account_number_last_four?: string | null | undefined
  } | undefined
}

export interface Authorization {
  /** Only once it is decided */
  authorization_finalized_at?: string | undefined
  authorization_required_by?: string | undefined
  authorization_status: 'created' | 'client_approval_pending' | 'client_approved' | 'client_denied' | 'auto_approved' | 'auto_denied' | 'client_unanswered_auto_approved' | 'client_unanswered_auto_denied'
  denied_memo?: string | undefined
  denied_reason?: 'debit_limit_exceeded' | 'insufficient_funds' | 'international_payment' | 'unauthorized_credit' | 'unauthorized_debit' | 'vrn_archived' | 'vrn_locked' | undefined
}

export interface Transaction {
  /** Identifier created by the service */
  uid: string
  /** Counter in order of creation */
  id: number
  /** Identifier created by the service */
  customer_uid: string
  /** Identifier created by the service */
  source_synthetic_account_uid: string
  /** Identifier created by the service */
  destination_synthetic_account_uid: string
  custodial_account_uids: string[]
  type: 'ach' | 'ach_return' | 'atm_withdrawal' | 'book_transfer' | 'card_load' | 'card_purchase' | 'card_refund' | 'cash_load' | 'corporate_action' | 'credit' | 'denied_authorization' | 'dispute' | 'fee' | 'initiated_ach_return' | 'initiated_ach_reversal' | 'initiated_wire_return' | 'instant_payment' | 'interest' | 'other' | 'peer_to_peer_transfer' | 'reversal' | 'reversed_transfer' | 'set_account_balance' | 'wire'
  status: 'queued' | 'pending' | 'settled' | 'failed' | 'canceled' | 'denied' | 'expired' | 'authorization_pending' | 'authorization_denied'
  /** Never negative; net_asset is the direction */
  us_dollar_amount: string
  net_asset: 'positive' | 'negative' | 'neutral'
  description: string
  /** Null if the payment came from outside */
  transfer_uid: string | null
  return_uid: string | null
  adjustment_uid: string | null
  transaction_batch_uid: string | null
  /** Identifier created by the service */
  virtual_reference_number_uid?: string | undefined
  transaction_event_uids: string[]
  /** Counter in order of settlement */
  settled_index: number | null
  created_at: string
  initial_action_at: string
  settled_at?: string | undefined
  /** When it was posted to a bank statement */
  statement_posted_at: string | null
  authorization?: Authorization | undefined
  ach?: {
    originator_name?: string | undefined
    company_id?: string | undefined
    company_discretionary_data?: string | undefined
    prenote?: boolean | undefined
    sec_code?: 'CCD' | 'CIE' | 'PPD' | 'TEL' | 'WEB' | undefined
    /** Recurring, single, or single by telephone */
    payment_type?: 'R' | 'S' | 'ST' | undefined
    entry_description?: string | undefined
    service_processing?: 'SAMEDAY' | 'STANDARD' | undefined
    effective_entry_date?: string | undefined
    id_number?: string | undefined
    originator_routing_number?: string | undefined
    counterparty_name?: string | undefined
    transfer_trace_id?: string | undefined
    ach_return_code?: string | undefined
    ach_return_reason?: string | undefined
    noc_code?: string | undefined
    noc_reason?: string | undefined
    iat?: {
      foreign_exchange_indicator?: string | undefined
      foreign_exchange_reference_indicator?: string | undefined
      foreign_exchange_reference?: string | null | undefined
      iso_destination_country_code?: string | undefined
      iso_originating_currency_code?: string | undefined
      iso_destination_currency_code?: string | undefined
      transaction_code?: string | undefined
      transaction_type_code?: string | undefined
      foreign_payment_amount?: string | null | undefined
      foreign_trace_number?: string | null | undefined
      originator_street_address?: string | undefined
      originator_city_state_province?: string | undefined
      originator_country_postal_code?: string | undefined
      odfi_name?: string | undefined
      odfi_identification_number_qualifier?: string | undefined
      odfi_id?: string | undefined
      odfi_branch_country_code?: string | undefined
      rdfi_name?: string | undefined
      rdfi_identification_number_qualifier?: string | undefined
      rdfi_id?: string | undefined
      rdfi_branch_country_code?: string | undefined
      counterparty_street_address?: string | undefined
      counterparty_city_state_province?: string | undefined
      counterparty_country_postal_code?: string | undefined
      payment_related_information_1?: string | null | undefined
      payment_related_information_2?: string | null | undefined
      foreign_correspondent_banks?: ({
        name?: string | undefined
        id_number_qualifier?: string | undefined
        id_number?: string | undefined
        branch_country_code?: string | undefined
      })[] | undefined
    } | undefined
    addenda?: string | undefined
    noc_corrected_data?: string | undefined
  } | undefined
  instant_payment?: {
    network_transaction_id?: string | undefined
    network?: 'tch' | 'fednow' | undefined
    failure_code?: string | undefined
    failure_reason?: string | undefined
    counterparty_name?: string | undefined
    counterparty_bank_name?: string | undefined
    counterparty_bank_routing_number?: string | undefined
    counterparty_bank_address?: {
      street_number: string
      street1: string
      street2?: string | null | undefined
      city: string | null
      state: string | null
      postal_code: string | null
      country: string | null
    } | null | undefined
    counterparty_account_number_last_four?: string | undefined
    payment_id?: string | undefined
    original_end_to_end_id?: string | null | undefined
    initiating_party_name?: string | undefined
    /** @deprecated */
    transmitter_name?: string | undefined
    instant_payment_transmitter?: {
      name: string
      transmitter_identifier?: string | undefined
      street_number: string
      street1: string
      city: string | null
      state: string | null
      postal_code: string | null
      country: string | null
    } | undefined
    memo?: string | null | undefined
    /** The kind of an instant payment that the Client sends; "" if it has none */
    purpose_of_payment?: 'NOWS' | 'GDDS' | 'SCVE' | 'INSC' | 'INSM' | 'INVS' | 'PAYR' | 'UBIL' | 'PDEP' | 'ACCT' | 'CBLK' | 'MP2P' | '' | undefined
    counterparty_address?: {
      street_number: string
      street1: string
      street2?: string | null | undefined
      city: string | null
      state: string | null
      postal_code: string | null
      country: string | null
    } | null | undefined
  } | undefined
  wire?: {
    counterparty_name: string
    counterparty_bank_name?: string | null | undefined
    counterparty_bank_address?: {
      line1?: string | null | undefined
      line2?: string | null | undefined
      line3?: string | null | undefined
      country?: string | null | undefined
    } | null | undefined
    counterparty_bank_routing_number?: string | undefined
    intermediary_bank_name?: string | undefined
    intermediary_bank_address?: {
      line1?: string | null | undefined
      line2?: string | null | undefined
      line3?: string | null | undefined
      country?: string | null | undefined
    } | undefined
    intermediary_bank_routing_number?: string | undefined
    /** Of chips, imad and uetr at most one is set */
    chips?: string | null | undefined
    imad?: string | null | undefined
    uetr?: string | null | undefined
    bank_to_bank_info?: string | null | undefined
    originator_account_number_last_four?: string | null | undefined
    counterparty_address?: {
      line1?: string | null | undefined
      line2?: string | null | undefined
      line3?: string | null | undefined
      country?: string | null | undefined
      building_number?: string | null | undefined
      street_name?: string | null | undefined
      /** Required in a structured address */
      city?: string | null | undefined
      state?: string | null | undefined
      postal_code?: string | null | undefined
    } | null | undefined
    wire_instructions?: string | undefined
  } | undefined
}

export interface AuthorizeTransaction {
  authorization_status: 'client_approved' | 'client_denied' | 'denied'
  /** Required for a denial */
  denied_reason?: 'debit_limit_exceeded' | 'insufficient_funds' | 'international_payment' | 'unauthorized_credit' | 'unauthorized_debit' | 'vrn_archived' | 'vrn_locked' | null | undefined
  denied_memo?: string | null | undefined
}

export interface AuthorizationAnswer {
  authorization: Authorization
}

export interface TransactionEvent {
  /** Identifier created by the service */
  uid: string
  settled_index: number
  transaction_uids: string[]
  /** Identifier created by the service */
  source_custodial_account_uid: string
  /** Identifier created by the service */
  destination_custodial_account_uid: string
  custodial_line_item_uids: string[]
  status: 'settled'
  /** US dollars with two decimals */
  us_dollar_amount: string
  type: 'odfi_ach_deposit' | 'odfi_ach_withdrawal' | 'rdfi_ach_deposit' | 'rdfi_ach_withdrawal'
  /** Identifier created by the service */
  debit_card_uid?: string | undefined
  net_asset: 'positive' | 'negative' | 'neutral'
  description: string
  created_at: string
  settled_at: string
}

export interface SyntheticLineItem {
  /** Identifier created by the service */
  uid: string
  settled_index: number
  /** Identifier created by the service */
  transaction_uid: string
  /** Negative if money leaves the account */
  us_dollar_amount: string
  asset_quantity: string
  asset_type: string
  closing_price: string
  description: string
  created_at: string
  settled_at: string
  /** Identifier created by the service */
  synthetic_account_uid: string
  status: 'settled'
  /** US dollars with two decimals */
  running_us_dollar_balance: string
  running_asset_balance: string
  /** Identifier created by the service */
  custodial_account_uid: string
  custodial_account_name: string
}

export interface CustodialLineItem {
  /** Identifier created by the service */
  uid: string
  settled_index: number
  /** Identifier created by the service */
  transaction_uid: string
  /** Negative if money leaves the account */
  us_dollar_amount: string
  asset_quantity: string
  asset_type: string
  closing_price: string
  description: string
  created_at: string
  settled_at: string
  /** Identifier created by the service */
  transaction_event_uid: string
  /** Identifier created by the service */
  custodial_account_uid: string
  /** Identifier created by the service */
  debit_card_uid?: string | undefined
  status: 'settled' | 'voided'
  running_us_dollar_balance: string | null
  running_asset_balance: string | null
  type: string
  occurred_at: string
}

export interface VirtualReferenceNumberSummary {
  /** Identifier created by the service */
  uid: string
  /** Identifier chosen by the Client */
  external_uid?: string | undefined
  name?: string | undefined
  /** Identifier created by the service */
  synthetic_account_uid: string
  /** Identifier created by the service */
  custodial_account_uid: string
  routing_number: string
  virtual_reference_number_last_four: string
  /** A locked VRN is active, too: see locked_at */
  status: 'active' | 'archived'
  instant_payment_rail_registration_status: 'pending' | 'registered' | 'unregistered' | 'failed'
  locked_at: string | null
  lock_reason: 'admin' | 'customer_request' | null
  archived_at: string | null
  created_at: string
}

export interface CreateVirtualReferenceNumber {
  external_uid?: string | null | undefined
  name?: string | null | undefined
  /** Identifier created by the service */
  synthetic_account_uid: string
  routing_number: string
  /** If true, the response waits for the registration. Default false. */
  synchronous_registration?: boolean | null | undefined
}

export interface VirtualReferenceNumber {
  /** Identifier created by the service */
  uid: string
  /** Identifier chosen by the Client */
  external_uid?: string | undefined
  name?: string | undefined
  /** Identifier created by the service */
  synthetic_account_uid: string
  /** Identifier created by the service */
  custodial_account_uid: string
  routing_number: string
  virtual_reference_number_last_four: string
  /** A locked VRN is active, too: see locked_at */
  status: 'active' | 'archived'
  instant_payment_rail_registration_status: 'pending' | 'registered' | 'unregistered' | 'failed'
  locked_at: string | null
  lock_reason: 'admin' | 'customer_request' | null
  archived_at: string | null
  created_at: string
  virtual_reference_number: string
}

export interface UpdateVirtualReferenceNumber {
  external_uid?: string | null | undefined
  name?: string | null | undefined
}

export interface LockVirtualReferenceNumber {
  lock_reason: 'admin' | 'customer_request'
}

export interface ReturnSummary {
  /** Identifier created by the service */
  uid: string
  /** Identifier chosen by the Client */
  external_uid?: string | undefined
  /** Identifier created by the service */
  original_transaction_uid: string
  /** Identifier created by the service */
  return_transaction_uid: string
  /** Identifier created by the service */
  customer_uid: string
  requestor_type: 'customer' | 'subclient'
  return_reason: string
  status: 'queued' | 'pending' | 'settled' | 'failed' | 'canceled'
  created_at: string
}

export interface CreateReturn {
  external_uid?: string | null | undefined
  /** Identifier created by the service */
  original_transaction_uid: string
  /** Identifier created by the service */
  requesting_customer_uid: string
  requestor_type: 'customer' | 'subclient'
  return_reason: string
  /** To return a received ACH. Do not send it to reverse an ACH of your own */
  ach?: {
    ach_return_code?: 'R01' | 'R02' | 'R03' | 'R04' | 'R06' | 'R09' | 'R10' | 'R16' | 'R17' | 'R20' | 'R23' | 'R29' | 'R31' | null | undefined
    addenda_info?: string | null | undefined
  } | null | undefined
  wire?: {
    /** @deprecated */
    wire_instructions?: string | null | undefined
  } | null | undefined
}

export interface Return {
  /** Identifier created by the service */
  uid: string
  /** Identifier chosen by the Client */
  external_uid?: string | undefined
  /** Identifier created by the service */
  original_transaction_uid: string
  /** Identifier created by the service */
  return_transaction_uid: string
  /** Identifier created by the service */
  customer_uid: string
  requestor_type: 'customer' | 'subclient'
  return_reason: string
  status: 'queued' | 'pending' | 'settled' | 'failed' | 'canceled'
  created_at: string
  ach?: {
    ach_return_code?: 'R01' | 'R02' | 'R03' | 'R04' | 'R06' | 'R09' | 'R10' | 'R16' | 'R17' | 'R20' | 'R23' | 'R29' | 'R31' | undefined
    addenda_info?: string | undefined
  } | undefined
  wire?: {
    wire_instructions?: string | undefined
  } | undefined
}

export interface CombinedTransfer {
  /** Identifier created by the service */
  uid: string
  external_uid: string | null
  status: 'queued' | 'pending' | 'failed' | 'completed'
  /** Only after a failure */
  errors?: ({
    code: number
    title: string
    detail: string
    occurred_at: string
    extra?: string | undefined
  })[] | undefined
  synthetic_account: {
    external_uid?: string | null | undefined
    name?: string | undefined
    /** Identifier created by the service */
    pool_uid?: string | undefined
    /** Identifier created by the service */
    synthetic_account_type_uid?: string | undefined
    routing_number?: string | null | undefined
    ach?: {
      account_type: 'checking' | 'savings'
      counterparty_name: string
    } | null | undefined
    instant_payment?: {
      counterparty_address: {
        street_number: string
        street1: string
        street2?: string | null | undefined
        city: string | null
        state: string | null
        postal_code: string | null
        country: string | null
      }
      counterparty_name: string
      email?: string | null | undefined
      phone?: string | null | undefined
    } | null | undefined
    wire?: {
      counterparty_name: string
      counterparty_address?: {
        line1?: string | null | undefined
        line2?: string | null | undefined
        line3?: string | null | undefined
        country?: string | null | undefined
        building_number?: string | null | undefined
        street_name?: string | null | undefined
        /** Required in a structured address */
        city?: string | null | undefined
        state?: string | null | undefined
        postal_code?: string | null | undefined
      } | null | undefined
      counterparty_bank_name?: string | null | undefined
      counterparty_bank_address?: {
        line1?: string | null | undefined
        line2?: string | null | undefined
        line3?: string | null | undefined
        country?: string | null | undefined
      } | null | undefined
    } | null | undefined
    /** Null until it is created */
    uid: string | null
  }
  transfer: {
    external_uid?: string | null | undefined
    source_synthetic_account_uid?: string | null | undefined
    destination_synthetic_account_uid?: string | null | undefined
    /** Identifier created by the service */
    initiating_customer_uid: string
    /** Default: the initiating Customer */
    destination_customer_uid?: string | null | undefined
    /** US dollars with two decimals */
    usd_transfer_amount: string
    /** Default customer: transmitters are ignored */
    initiator_type?: 'customer' | 'transmitter' | null | undefined
    /** One of the company_ids of the Custodial Account; also taken within ach */
    company_id?: string | null | undefined
    /** Also taken within wire */
    wire_transmitter?: {
      name: string
      transmitter_identifier: string
      /** Required unless the address is structured; may be null */
      line1?: string | null | undefined
      line2?: string | null | undefined
      line3?: string | null | undefined
      country: string
      building_number?: string | null | undefined
      street_name?: string | null | undefined
      /** Required in a structured address */
      city?: string | null | undefined
      state?: string | null | undefined
      postal_code?: string | null | undefined
    } | null | undefined
    /** Also taken within instant_payment */
    instant_payment_transmitter?: {
      name: string
      transmitter_identifier: string
      street_number: string
      street1: string
      city: string | null
      state: string | null
      postal_code: string | null
      country: string | null
    } | null | undefined
    ach?: {
      originator_name: string
      company_id?: string | null | undefined
      company_discretionary_data?: string | null | undefined
      /** Default false */
      prenote?: boolean | null | undefined
      sec_code: 'CCD' | 'CIE' | 'PPD' | 'TEL' | 'WEB'
      payment_type?: 'R' | 'S' | 'ST' | null | undefined
      entry_description: string
      service_processing: 'SAMEDAY' | 'STANDARD'
      /** Today, or at most 30 days ahead */
      effective_entry_date: string
      /** At most 15 characters; for CIE required, and at most 22 */
      id_number?: string | null | undefined
      /** Not with TEL */
      addenda?: string | null | undefined
    } | null | undefined
    instant_payment?: {
      /** Required if initiator_type is transmitter */
      instant_payment_transmitter?: {
        name: string
        transmitter_identifier: string
        street_number: string
        street1: string
        city: string | null
        state: string | null
        postal_code: string | null
        country: string | null
      } | null | undefined
      memo?: string | null | undefined
      purpose_of_payment?: 'NOWS' | 'GDDS' | 'SCVE' | 'INSC' | 'INSM' | 'INVS' | 'PAYR' | 'UBIL' | 'PDEP' | 'ACCT' | 'CBLK' | 'MP2P' | '' | null | undefined
    } | null | undefined
    wire?: {
      intermediary_bank_name?: string | null | undefined
      intermediary_bank_address?: {
        line1?: string | null | undefined
        line2?: string | null | undefined
        line3?: string | null | undefined
        country?: string | null | undefined
      } | null | undefined
      /** Required if the name or the address is given */
      intermediary_bank_routing_number?: string | null | undefined
      wire_instructions?: string | null | undefined
      /** Required if initiator_type is transmitter */
      wire_transmitter?: {
        name: string
        transmitter_identifier: string
        /** Required unless the address is structured; may be null */
        line1?: string | null | undefined
        line2?: string | null | undefined
        line3?: string | null | undefined
        country: string
        building_number?: string | null | undefined
        street_name?: string | null | undefined
        /** Required in a structured address */
        city?: string | null | undefined
        state?: string | null | undefined
        postal_code?: string | null | undefined
      } | null | undefined
    } | null | undefined
    /** Null until it is created */
    uid: string | null
  }
  created_at: string
}

export interface CreateCombinedTransfer {
  external_uid?: string | null | undefined
  /** A new account, or the uid of an existing one */
  synthetic_account: {
    external_uid?: string | null | undefined
    name?: string | undefined
    /** Identifier created by the service */
    pool_uid?: string | undefined
    /** Identifier created by the service */
    synthetic_account_type_uid?: string | undefined
    routing_number?: string | null | undefined
    account_number?: string | null | undefined
    /** Accepted, but not used */
    external_processor_token?: string | null | undefined
    ach?: {
      account_type: 'checking' | 'savings'
      counterparty_name: string
    } | null | undefined
    instant_payment?: {
      counterparty_address: {
        street_number: string
        street1: string
        street2?: string | null | undefined
        city: string | null
        state: string | null
        postal_code: string | null
        country: string | null
      }
      counterparty_name: string
      email?: string | null | undefined
      phone?: string | null | undefined
    } | null | undefined
    wire?: {
      counterparty_name: string
      counterparty_address?: {
        line1?: string | null | undefined
        line2?: string | null | undefined
        line3?: string | null | undefined
        country?: string | null | undefined
        building_number?: string | null | undefined
        street_name?: string | null | undefined
        /** Required in a structured address */
        city?: string | null | undefined
        state?: string | null | undefined
        postal_code?: string | null | undefined
      } | null | undefined
      counterparty_bank_name?: string | null | undefined
      counterparty_bank_address?: {
        line1?: string | null | undefined
        line2?: string | null | undefined
        line3?: string | null | undefined
        country?: string | null | undefined
      } | null | undefined
    } | null | undefined
    uid?: string | null | undefined
  }
  /** With the account of the Customer on one side; the other is the synthetic_account */
  transfer: {
    external_uid?: string | null | undefined
    source_synthetic_account_uid?: string | null | undefined
    destination_synthetic_account_uid?: string | null | undefined
    /** Identifier created by the service */
    initiating_customer_uid: string
    /** Default: the initiating Customer */
    destination_customer_uid?: string | null | undefined
    /** US dollars; at most two decimals; 0.00 for a prenote */
    usd_transfer_amount: string | number
    /** Default customer: transmitters are ignored */
    initiator_type?: 'customer' | 'transmitter' | null | undefined
    /** One of the company_ids of the Custodial Account; also taken within ach */
    company_id?: string | null | undefined
    /** Also taken within wire */
    wire_transmitter?: {
      name: string
      transmitter_identifier: string
      /** Required unless the address is structured; may be null */
      line1?: string | null | undefined
      line2?: string | null | undefined
      line3?: string | null | undefined
      country: string
      building_number?: string | null | undefined
      street_name?: string | null | undefined
      /** Required in a structured address */
      city?: string | null | undefined
      state?: string | null | undefined
      postal_code?: string | null | undefined
    } | null | undefined
    /** Also taken within instant_payment */
    instant_payment_transmitter?: {
      name: string
      transmitter_identifier: string
      street_number: string
      street1: string
      city: string | null
      state: string | null
      postal_code: string | null
      country: string | null
    } | null | undefined
    ach?: {
      originator_name: string
      company_id?: string | null | undefined
      company_discretionary_data?: string | null | undefined
      /** Default false */
      prenote?: boolean | null | undefined
      sec_code: 'CCD' | 'CIE' | 'PPD' | 'TEL' | 'WEB'
      payment_type?: 'R' | 'S' | 'ST' | null | undefined
      entry_description: string
      service_processing: 'SAMEDAY' | 'STANDARD'
      /** Today, or at most 30 days ahead */
      effective_entry_date: string
      /** At most 15 characters; for CIE required, and at most 22 */
      id_number?: string | null | undefined
      /** Not with TEL */
      addenda?: string | null | undefined
    } | null | undefined
    instant_payment?: {
      /** Required if initiator_type is transmitter */
      instant_payment_transmitter?: {
        name: string
        transmitter_identifier: string
        street_number: string
        street1: string
        city: string | null
        state: string | null
        postal_code: string | null
        country: string | null
      } | null | undefined
      memo?: string | null | undefined
      purpose_of_payment?: 'NOWS' | 'GDDS' | 'SCVE' | 'INSC' | 'INSM' | 'INVS' | 'PAYR' | 'UBIL' | 'PDEP' | 'ACCT' | 'CBLK' | 'MP2P' | '' | null | undefined
    } | null | undefined
    wire?: {
      intermediary_bank_name?: string | null | undefined
      intermediary_bank_address?: {
        line1?: string | null | undefined
        line2?: string | null | undefined
        line3?: string | null | undefined
        country?: string | null | undefined
      } | null | undefined
      /** Required if the name or the address is given */
      intermediary_bank_routing_number?: string | null | undefined
      wire_instructions?: string | null | undefined
      /** Required if initiator_type is transmitter */
      wire_transmitter?: {
        name: string
        transmitter_identifier: string
        /** Required unless the address is structured; may be null */
        line1?: string | null | undefined
        line2?: string | null | undefined
        line3?: string | null | undefined
        country: string
        building_number?: string | null | undefined
        street_name?: string | null | undefined
        /** Required in a structured address */
        city?: string | null | undefined
        state?: string | null | undefined
        postal_code?: string | null | undefined
      } | null | undefined
    } | null | undefined
  }
}

export interface MockTransaction {
  transaction_type: 'wire' | 'instant_payment' | 'ach' | 'ach_return'
  /** Required, except for ach_return */
  customer_uid?: string | null | undefined
  /** Above 0 a credit, below 0 a debit. Required, except for ach_return */
  us_dollar_amount?: number | string | null | undefined
  /** The ACH to return; required for ach_return */
  transaction_uid?: string | null | undefined
  /** Description of the Transaction */
  description?: string | null | undefined
  /** A general account of the Customer */
  synthetic_account_uid?: string | null | undefined
  /** An active VRN; a wire must be a credit */
  virtual_reference_number_uid?: string | null | undefined
  /** Network of an instant payment. Default tch */
  network?: 'tch' | 'fednow' | null | undefined
  counterparty_name?: string | null | undefined
  counterparty_address?: {
    street_number: string
    street1: string
    street2?: string | null | undefined
    city: string | null
    state: string | null
    postal_code: string | null
    country: string | null
  } | {
    line1?: string | null | undefined
    line2?: string | null | undefined
    line3?: string | null | undefined
    country?: string | null | undefined
  } | null | undefined
  counterparty_bank_name?: string | null | undefined
  counterparty_bank_address?: {
    line1?: string | null | undefined
    line2?: string | null | undefined
    line3?: string | null | undefined
    country?: string | null | undefined
  } | null | undefined
  intermediary_bank_name?: string | null | undefined
  intermediary_bank_address?: {
    line1?: string | null | undefined
    line2?: string | null | undefined
    line3?: string | null | undefined
    country?: string | null | undefined
  } | null | undefined
  intermediary_bank_routing_number?: string | null | undefined
  wire_instructions?: string | null | undefined
  /** Of chips, imad and uetr at most one */
  chips?: string | null | undefined
  imad?: string | null | undefined
  uetr?: string | null | undefined
  memo?: string | null | undefined
  entry_description?: string | null | undefined
  sec_code?: 'CCD' | 'CIE' | 'PPD' | 'TEL' | 'WEB' | null | undefined
  addenda?: string | null | undefined
  /** Any value adds the detail of an international ACH */
  iat?: string | number | boolean | null | undefined
}

export interface MockTransactionAnswer {
  success: string
  /** The Transaction */
  uid: string
}

export interface CustodialAccountClosingBalance {
  /** Identifier created by the service */
  uid: string
  /** Identifier created by the service */
  custodial_account_uid: string
  custodial_account_external_uid?: string | undefined
  /** US dollars with two decimals */
  net_usd_closing_balance: string
  net_usd_closing_balance_as_of: string
}

export interface SyntheticAccountClosingBalance {
  /** Identifier created by the service */
  uid: string
  /** Identifier created by the service */
  synthetic_account_uid: string
  synthetic_account_external_uid?: string | undefined
  /** US dollars with two decimals */
  net_usd_closing_balance: string
  net_usd_closing_balance_as_of: string
}

export interface OutsideTransaction {
  /** It decides the direction */
  movement: 'card_purchase' | 'card_refund' | 'card_load' | 'cash_load' | 'atm_withdrawal' | 'direct_deposit' | 'interest' | 'fee' | 'credit'
  /** Identifier created by the service */
  customer_uid: string
  us_dollar_amount: string | number
  /** A general account of the Customer. Default: its master account */
  synthetic_account_uid?: string | undefined
  /** The merchant, the employer or the bank */
  counterparty_name?: string | undefined
  /** Default: the movement and the name */
  description?: string | undefined
}

export interface ProgramInFull {
  /** Networks that requests may come from; others are refused with 1013 */
  allowlist: string[]
  /** The Customer Types that the Program may create */
  customer_types: ('primary' | 'secondary' | 'sole_proprietor')[]
  /** Which transfers Clients may initiate */
  transaction_types: ('ach' | 'wire' | 'instant_payment' | 'book_transfer')[]
  /** The Client is its own Customer: POST /customers is refused with 1018, and the operator creates it */
  client_is_customer: boolean
  /** The Client verifies its Customers: each must be created with client_verified, and KYC/AML is skipped */
  accepts_client_verified: boolean
  /** A transfer over ach, wire or instant_payment needs an active Product of the Customer with that rail; others are refused with 3006 */
  rails_need_products: boolean
  /** Of new Custodial Accounts: 9 digits */
  routing_number: string
  /** The Client may call POST /returns */
  returns: boolean
  /** The Client may call POST /combined_transfers */
  combined_transfers: boolean
  /** Payments to a VRN wait for an authorization by the Client */
  client_authorization: boolean
  /** How long they wait */
  authorization_hours: number
  /** How a payment is decided that the Client did not authorize in time */
  unanswered_authorization: 'approve' | 'deny'
  /** An outgoing payment needs an available balance; if off, an outgoing ACH does not */
  pre_funding: boolean
  /** How long transfers of a rail are queued before they are sent */
  queue_minutes: {
    /** Transfers over ach */
    ach: number
    /** Transfers over wire */
    wire: number
    /** Transfers over instant_payment */
    instant_payment: number
    /** Transfers between accounts of the same Pool */
    book: number
  }
  /** Between locking and unlocking a VRN */
  vrn_cooldown_minutes: number
  /** Unknown fields and parameters are refused instead of ignored with a hint */
  strict: boolean
  /** Access tokens expire 8 hours after their creation, by this clock */
  token_clock: 'real' | 'simulated'
  /** The form of the addresses of counterparties and transmitters of wires; the other one is refused with 1007 */
  wire_addresses: 'unstructured' | 'structured' | 'both'
  /** Hosts besides this machine that webhooks may be sent to */
  webhook_hosts: string[]
  /** Requests without an x-trace-id are accepted */
  trace_ids_optional: boolean
  /** International ACH payments show their details (iat) */
  shows_iat: boolean
  limits: {
    ach: {
      /** Less is refused with 3013 */
      minimum_amount: string
      /** More is refused with 3012 */
      maximum_amount: string | null
      /** For each Customer and New York day; more is refused with 3011 */
      daily_amount: string | null
      /** Transfers of each Customer and New York day; more are refused with 3010 */
      daily_count: number | null
    }
    wire: {
      /** Less is refused with 3013 */
      minimum_amount: string
      /** More is refused with 3012 */
      maximum_amount: string | null
      /** For each Customer and New York day; more is refused with 3011 */
      daily_amount: string | null
      /** Transfers of each Customer and New York day; more are refused with 3010 */
      daily_count: number | null
    }
    instant_payment: {
      /** Less is refused with 3013 */
      minimum_amount: string
      /** More is refused with 3012 */
      maximum_amount: string | null
      /** For each Customer and New York day; more is refused with 3011 */
      daily_amount: string | null
      /** Transfers of each Customer and New York day; more are refused with 3010 */
      daily_count: number | null
    }
  }
  account_limits: {
    /** Active ones at a time; more are refused with 2009 */
    general_accounts: number | null
    /** A second active external account is refused with 2010 */
    one_external_account: boolean
    /** Different external accounts, ever; more are refused with 2013 */
    external_accounts: number | null
    /** A further one within this time is refused with 2014 */
    minutes_between_external_accounts: number | null
    /** How often the same account may be opened; more is refused with 2015 */
    same_external_account: number | null
    /** Active ones of category ach_external at a time; more are refused with 2016 */
    ach_external_accounts: number | null
  }
  /** Identifier created by the service */
  uid: string
  /** Identifier created by the service */
  client_uid: string
  name: string
  /** Its UTF-8 bytes sign refresh tokens */
  hmac_key: string
  products: ({
    /** Identifier created by the service */
    uid: string
    name: string
    description: string
    /** Identifier created by the service */
    product_compliance_plan_uid: string
    compliance_plan_name: string
    customer_types: ('primary' | 'secondary' | 'sole_proprietor' | 'sub_ledger')[]
    prerequisite_product_uids: string[]
    profile_requirements: ({
      /** Identifier created by the service */
      profile_requirement_uid: string
      profile_requirement: string
      category: string
      required: boolean
      requirement_type: 'fixed_list' | 'integer_greater' | 'ordered_list' | 'number' | 'string'
      response_values: string[]
    })[]
    required_fields: ({
      customer_type: 'primary' | 'secondary' | 'sole_proprietor' | 'sub_ledger'
      fields: string[]
    })[]
    /** The rails of the transfers that it allows */
    rails: ('ach' | 'wire' | 'instant_payment')[]
  })[]
  synthetic_account_types: ({
    /** Identifier created by the service */
    uid: string
    name: string
    description: string
    synthetic_account_category: 'general' | 'ach_external' | 'instant_payment_external' | 'wire_external'
  })[]
}

/** The operations of the API. The input has the fields of the path, the query and the body. */
export interface Operations {
  /** Exchange a signed refresh token for an access token. Exchanges a refresh token, a JWS with the claims `iat` and `sub` signed with the HMAC key of the Program, for an access token. The whole access token goes into the `Authorization` header of all other requests. It is valid for 8 hours. */
  'POST /auth': {
    input: Record<string, never>
    output: AccessToken
  }
  /** List Customers. Lists the Customers of the Program. The details have names and phone only. Customers in status `initiated` are listed with `include_initiated`. */
  'GET /customers': {
    input: {
      /** Exact match, case ignored. May be repeated. */
      uid?: string | string[] | undefined
      /** Exact match, case ignored. May be repeated. */
      status?: 'initiated' | 'queued' | 'identity_verified' | 'active' | 'manual_review' | 'rejected' | 'pending_archival' | 'archived' | 'under_review' | ('initiated' | 'queued' | 'identity_verified' | 'active' | 'manual_review' | 'rejected' | 'pending_archival' | 'archived' | 'under_review')[] | undefined
      /** Exact match, case ignored. May be repeated. */
      kyc_status?: 'approved' | 'denied' | 'documents_provided' | 'documents_rejected' | 'manual_review' | 'pending_id_documents' | 'pending_poa_documents' | 'pending_idandpoa_documents' | 'retake_images' | 'pre_verified' | ('approved' | 'denied' | 'documents_provided' | 'documents_rejected' | 'manual_review' | 'pending_id_documents' | 'pending_poa_documents' | 'pending_idandpoa_documents' | 'retake_images' | 'pre_verified')[] | undefined
      /** Exact match, case ignored. May be repeated. */
      customer_type?: 'primary' | 'secondary' | 'sole_proprietor' | ('primary' | 'secondary' | 'sole_proprietor')[] | undefined
      /** Exact match, case ignored. May be repeated. */
      first_name?: string | string[] | undefined
      /** Exact match, case ignored. May be repeated. */
      last_name?: string | string[] | undefined
      /** Exact match, case ignored. May be repeated. */
      email?: string | string[] | undefined
      /** true or false */
      locked?: boolean | undefined
      /** Exact match, case ignored. May be repeated. */
      program_uid?: string | string[] | undefined
      /** Partial match, case ignored. Exact matches come first. */
      business_name?: string | undefined
      /** Exact match, case ignored. May be repeated. */
      external_uid?: string | string[] | undefined
      /** Exact match, case ignored. May be repeated. */
      pool_uid?: string | string[] | undefined
      /** Also lists records with `initiated`. Default false. */
      include_initiated?: boolean | undefined
      /** Maximum number of items in the response */
      limit?: number | undefined
      /** Number of items to skip */
      offset?: number | undefined
      sort?: 'activated_at_asc' | 'activated_at_desc' | 'first_name_asc' | 'first_name_desc' | 'last_name_asc' | 'last_name_desc' | 'email_asc' | 'email_desc' | undefined
    }
    output: List<CustomerSummary>
  }
  /** Create a Customer. Creates a Customer in status `initiated`. Every field is optional; the data is validated when the Customer is onboarded. */
  'POST /customers': {
    input: CreateCustomer
    output: Customer
  }
  /** Get one Customer. Returns a Customer with all details and its total balance. */
  'GET /customers/{uid}': {
    input: {
      uid: string
    }
    output: Customer
  }
  /** Archive a Customer. Starts the archival of a Customer: its accounts are locked and its balance is paid out, which takes up to 8 business days. */
  'DELETE /customers/{uid}': {
    input: {
      uid: string
    } & ArchiveCustomer
    output: Customer
  }
  /** Adjust Customer data. Changes the data of a Customer. After onboarding all data is validated; of an active Customer only names, email, phone and address can change, which starts a new KYC/AML evaluation. */
  'PUT /customers/{uid}': {
    input: {
      uid: string
    } & UpdateCustomer
    output: Customer
  }
  /** List Pools. Lists the Pools of the Customers. */
  'GET /pools': {
    input: {
      /** Exact match, case ignored. May be repeated. */
      customer_uid?: string | string[] | undefined
      /** Maximum number of items in the response */
      limit?: number | undefined
      /** Number of items to skip */
      offset?: number | undefined
    }
    output: List<Pool>
  }
  /** Get one Pool. Returns a Pool. */
  'GET /pools/{uid}': {
    input: {
      uid: string
    }
    output: Pool
  }
  /** List Products. Lists the Products of the Program with their requirements. Those that need no other Product come first. */
  'GET /products': {
    input: {
      /** Exact match, case ignored. May be repeated. */
      program_uid?: string | string[] | undefined
      /** Maximum number of items in the response */
      limit?: number | undefined
      /** Number of items to skip */
      offset?: number | undefined
    }
    output: List<Product>
  }
  /** Get one Product. Returns a Product with its requirements. */
  'GET /products/{uid}': {
    input: {
      uid: string
    }
    output: Product
  }
  /** List Customer Products. Lists which Customers were onboarded to which Products. */
  'GET /customer_products': {
    input: {
      /** Exact match, case ignored. May be repeated. */
      program_uid?: string | string[] | undefined
      /** Exact match, case ignored. May be repeated. */
      product_uid?: string | string[] | undefined
      /** Exact match, case ignored. May be repeated. */
      customer_uid?: string | string[] | undefined
      /** Maximum number of items in the response */
      limit?: number | undefined
      /** Number of items to skip */
      offset?: number | undefined
    }
    output: List<CustomerProduct>
  }
  /** Onboard a Customer onto a Product. Onboards a Customer to a Product. The first one starts the KYC/AML evaluation, whose approval opens the accounts. */
  'POST /customer_products': {
    input: OnboardCustomer
    output: CustomerProduct
  }
  /** Get one Customer Product. Returns the onboarding of a Customer to a Product. */
  'GET /customer_products/{uid}': {
    input: {
      uid: string
    }
    output: CustomerProduct
  }
  /** List Custodial Accounts, active and archived. Lists the accounts at the custodian bank, active and archived, with their balances. */
  'GET /custodial_accounts': {
    input: {
      /** Exact match, case ignored. May be repeated. */
      customer_uid?: string | string[] | undefined
      /** Exact match, case ignored. May be repeated. */
      external_uid?: string | string[] | undefined
      /** true or false */
      liability?: boolean | undefined
      /** Exact match, case ignored. May be repeated. */
      type?: 'dda' | 'dda_cash_external' | 'dda_cash_received' | ('dda' | 'dda_cash_external' | 'dda_cash_received')[] | undefined
      /** Maximum number of items in the response */
      limit?: number | undefined
      /** Number of items to skip */
      offset?: number | undefined
    }
    output: List<CustodialAccountSummary>
  }
  /** Get one Custodial Account. Returns an account at the custodian bank, with its numbers and company ids. */
  'GET /custodial_accounts/{uid}': {
    input: {
      uid: string
    }
    output: CustodialAccount
  }
  /** List Synthetic Account Types. Lists the types of Synthetic Accounts that the Program offers. */
  'GET /synthetic_account_types': {
    input: {
      /** Exact match, case ignored. May be repeated. */
      program_uid?: string | string[] | undefined
      /** Maximum number of items in the response */
      limit?: number | undefined
      /** Number of items to skip */
      offset?: number | undefined
    }
    output: List<SyntheticAccountType>
  }
  /** Get one Synthetic Account Type. Returns a type of Synthetic Account. */
  'GET /synthetic_account_types/{uid}': {
    input: {
      uid: string
    }
    output: SyntheticAccountType
  }
  /** List Synthetic Accounts. Lists the Synthetic Accounts with their balances. */
  'GET /synthetic_accounts': {
    input: {
      /** Exact match, case ignored. May be repeated. */
      customer_uid?: string | string[] | undefined
      /** Exact match, case ignored. May be repeated. */
      external_uid?: string | string[] | undefined
      /** Exact match, case ignored. May be repeated. */
      pool_uid?: string | string[] | undefined
      /** Exact match, case ignored. May be repeated. */
      status?: 'initiated' | 'active' | 'archived' | 'failed' | ('initiated' | 'active' | 'archived' | 'failed')[] | undefined
      /** Exact match, case ignored. May be repeated. */
      synthetic_account_type_uid?: string | string[] | undefined
      /** Exact match, case ignored. May be repeated. */
      synthetic_account_category?: 'general' | 'ach_external' | 'instant_payment_external' | 'wire_external' | 'instant_payments_external' | ('general' | 'ach_external' | 'instant_payment_external' | 'wire_external' | 'instant_payments_external')[] | undefined
      /** true or false */
      liability?: boolean | undefined
      /** Maximum number of items in the response */
      limit?: number | undefined
      /** Number of items to skip */
      offset?: number | undefined
      sort?: 'name_asc' | 'name_desc' | 'net_usd_balance_asc' | 'net_usd_balance_desc' | 'net_usd_pending_balance_asc' | 'net_usd_pending_balance_desc' | 'net_usd_available_balance_asc' | 'net_usd_available_balance_desc' | undefined
    }
    output: List<SyntheticAccountSummary>
  }
  /** Create a Synthetic Account. Opens a general account of a Customer, or an external one for a counterparty. */
  'POST /synthetic_accounts': {
    input: CreateSyntheticAccount
    output: SyntheticAccount
  }
  /** Get one Synthetic Account. Returns a Synthetic Account with its balances. */
  'GET /synthetic_accounts/{uid}': {
    input: {
      uid: string
    }
    output: SyntheticAccount
  }
  /** Update the metadata of a Synthetic Account. Changes the name or the metadata of a Synthetic Account. */
  'PUT /synthetic_accounts/{uid}': {
    input: {
      uid: string
    } & UpdateSyntheticAccount
    output: SyntheticAccount
  }
  /** Archive a Synthetic Account. Archives a general account, whose balance must be 0. */
  'DELETE /synthetic_accounts/{uid}': {
    input: {
      uid: string
    }
    output: undefined
  }
  /** List Transfers. Lists the Transfers, the newest first. */
  'GET /transfers': {
    input: {
      /** Exact match, case ignored. May be repeated. */
      customer_uid?: string | string[] | undefined
      /** Exact match, case ignored. May be repeated. */
      external_uid?: string | string[] | undefined
      /** Exact match, case ignored. May be repeated. */
      pool_uid?: string | string[] | undefined
      /** Exact match, case ignored. May be repeated. */
      synthetic_account_uid?: string | string[] | undefined
      /** Exact match, case ignored. May be repeated. */
      status?: 'queued' | 'pending' | 'settled' | 'failed' | 'canceled' | ('queued' | 'pending' | 'settled' | 'failed' | 'canceled')[] | undefined
      /** Maximum number of items in the response */
      limit?: number | undefined
      /** Number of items to skip */
      offset?: number | undefined
      sort?: 'created_at_asc' | 'created_at_desc' | undefined
    }
    output: List<TransferSummary>
  }
  /** Initiate a Transfer. Moves money between two Synthetic Accounts, of which at most one is external; its category decides the rail. */
  'POST /transfers': {
    input: CreateTransfer
    output: Transfer
  }
  /** Get one Transfer. Returns a Transfer with the uids of its Transactions. */
  'GET /transfers/{uid}': {
    input: {
      uid: string
    }
    output: Transfer
  }
  /** Cancel a Transfer. Cancels a wire or an ACH transfer that is still queued. */
  'PUT /transfers/{uid}/cancel': {
    input: {
      uid: string
    } & CancelTransfer
    output: Transfer
  }
  /** List Transactions. Lists the Transactions, the newest first. Prenotes, denied and expired ones are listed on request. */
  'GET /transactions': {
    input: {
      /** Exact match, case ignored. May be repeated. */
      customer_uid?: string | string[] | undefined
      /** Exact match, case ignored. May be repeated. */
      pool_uid?: string | string[] | undefined
      /** Exact match, case ignored. May be repeated. */
      source_synthetic_account_uid?: string | string[] | undefined
      /** Exact match, case ignored. May be repeated. */
      destination_synthetic_account_uid?: string | string[] | undefined
      /** Exact match, case ignored. May be repeated. */
      synthetic_account_uid?: string | string[] | undefined
      /** Exact match, case ignored. May be repeated. */
      type?: 'ach' | 'ach_return' | 'atm_withdrawal' | 'book_transfer' | 'card_load' | 'card_purchase' | 'card_refund' | 'cash_load' | 'corporate_action' | 'credit' | 'denied_authorization' | 'dispute' | 'fee' | 'initiated_ach_return' | 'initiated_ach_reversal' | 'initiated_wire_return' | 'instant_payment' | 'interest' | 'other' | 'peer_to_peer_transfer' | 'reversal' | 'reversed_transfer' | 'set_account_balance' | 'wire' | ('ach' | 'ach_return' | 'atm_withdrawal' | 'book_transfer' | 'card_load' | 'card_purchase' | 'card_refund' | 'cash_load' | 'corporate_action' | 'credit' | 'denied_authorization' | 'dispute' | 'fee' | 'initiated_ach_return' | 'initiated_ach_reversal' | 'initiated_wire_return' | 'instant_payment' | 'interest' | 'other' | 'peer_to_peer_transfer' | 'reversal' | 'reversed_transfer' | 'set_account_balance' | 'wire')[] | undefined
      /** Exact match, case ignored. May be repeated. */
      status?: 'queued' | 'pending' | 'settled' | 'failed' | 'canceled' | 'denied' | 'expired' | 'authorization_pending' | 'authorization_denied' | ('queued' | 'pending' | 'settled' | 'failed' | 'canceled' | 'denied' | 'expired' | 'authorization_pending' | 'authorization_denied')[] | undefined
      /** true or false */
      has_return?: boolean | undefined
      /** Exact match, case ignored; a `*` at the start, at the end or at both stands for anything. */
      search_description?: string | undefined
      /** Strictly after */
      created_at_after?: string | undefined
      /** Strictly before */
      created_at_before?: string | undefined
      /** Strictly after */
      settled_at_after?: string | undefined
      /** Strictly before */
      settled_at_before?: string | undefined
      /** Strictly after */
      initial_action_at_after?: string | undefined
      /** Strictly before */
      initial_action_at_before?: string | undefined
      /** Greater than this */
      settled_index_after?: number | undefined
      /** Smaller than this */
      settled_index_before?: number | undefined
      /** Greater than this */
      id_after?: number | undefined
      /** Smaller than this */
      id_before?: number | undefined
      /** Also lists Transactions of 0.00, such as prenotes. Default false. */
      include_zero?: boolean | undefined
      /** Also lists Transactions that are `denied`. Default false. */
      show_denied_auths?: boolean | undefined
      /** Also lists Transactions that are `expired`. Default false. */
      show_expired?: boolean | undefined
      /** Maximum number of items in the response */
      limit?: number | undefined
      /** Number of items to skip */
      offset?: number | undefined
      sort?: 'created_at_asc' | 'created_at_desc' | 'description_asc' | 'description_desc' | 'id_asc' | 'id_desc' | 'settled_index_asc' | 'settled_index_desc' | 'us_dollar_amount_asc' | 'us_dollar_amount_desc' | undefined
    }
    output: List<TransactionSummary>
  }
  /** Get one Transaction. Returns a Transaction. */
  'GET /transactions/{uid}': {
    input: {
      uid: string
    }
    output: Transaction
  }
  /** Approve or deny a Transaction. Approves or denies a payment to a Virtual Reference Number while it waits for the decision of the Client. */
  'PUT /transactions/{uid}/authorize': {
    input: {
      uid: string
    } & AuthorizeTransaction
    output: AuthorizationAnswer
  }
  /** List Transaction Events. Lists the steps of Transactions. */
  'GET /transaction_events': {
    input: {
      /** Exact match, case ignored. May be repeated. */
      source_custodial_account_uid?: string | string[] | undefined
      /** Exact match, case ignored. May be repeated. */
      destination_custodial_account_uid?: string | string[] | undefined
      /** Exact match, case ignored. May be repeated. */
      custodial_account_uid?: string | string[] | undefined
      /** Exact match, case ignored. May be repeated. */
      type?: 'odfi_ach_deposit' | 'odfi_ach_withdrawal' | 'rdfi_ach_deposit' | 'rdfi_ach_withdrawal' | ('odfi_ach_deposit' | 'odfi_ach_withdrawal' | 'rdfi_ach_deposit' | 'rdfi_ach_withdrawal')[] | undefined
      /** Exact match, case ignored. May be repeated. */
      transaction_uid?: string | string[] | undefined
      /** Maximum number of items in the response */
      limit?: number | undefined
      /** Number of items to skip */
      offset?: number | undefined
      sort?: 'created_at_asc' | 'created_at_desc' | 'description_asc' | 'description_desc' | 'settled_index_asc' | 'settled_index_desc' | 'us_dollar_amount_asc' | 'us_dollar_amount_desc' | undefined
    }
    output: List<TransactionEvent>
  }
  /** Get one Transaction Event. Returns a step of a Transaction. */
  'GET /transaction_events/{uid}': {
    input: {
      uid: string
    }
    output: TransactionEvent
  }
  /** List the line items of Synthetic Accounts. Lists the credits and debits of Synthetic Accounts. */
  'GET /synthetic_line_items': {
    input: {
      /** Exact match, case ignored. May be repeated. */
      customer_uid?: string | string[] | undefined
      /** Exact match, case ignored. May be repeated. */
      pool_uid?: string | string[] | undefined
      /** Exact match, case ignored. May be repeated. */
      synthetic_account_uid?: string | string[] | undefined
      /** Exact match, case ignored. May be repeated. */
      transaction_uid?: string | string[] | undefined
      /** Exact match, case ignored. May be repeated. */
      status?: 'begun' | 'failed' | 'in_progress' | 'settled' | ('begun' | 'failed' | 'in_progress' | 'settled')[] | undefined
      /** Maximum number of items in the response */
      limit?: number | undefined
      /** Number of items to skip */
      offset?: number | undefined
      sort?: 'created_at_asc' | 'created_at_desc' | 'description_asc' | 'description_desc' | 'settled_index_asc' | 'settled_index_desc' | 'us_dollar_amount_asc' | 'us_dollar_amount_desc' | undefined
    }
    output: List<SyntheticLineItem>
  }
  /** Get one line item of a Synthetic Account. Returns a credit or debit of a Synthetic Account. */
  'GET /synthetic_line_items/{uid}': {
    input: {
      uid: string
    }
    output: SyntheticLineItem
  }
  /** List the line items of Custodial Accounts. Lists the credits and debits of Custodial Accounts. */
  'GET /custodial_line_items': {
    input: {
      /** Exact match, case ignored. May be repeated. */
      customer_uid?: string | string[] | undefined
      /** Exact match, case ignored. May be repeated. */
      custodial_account_uid?: string | string[] | undefined
      /** Exact match, case ignored. May be repeated. */
      status?: 'settled' | 'voided' | ('settled' | 'voided')[] | undefined
      /** This or less */
      us_dollar_amount_max?: number | undefined
      /** This or more */
      us_dollar_amount_min?: number | undefined
      /** Exact match, case ignored. May be repeated. */
      transaction_event_uid?: string | string[] | undefined
      /** Exact match, case ignored. May be repeated. */
      transaction_uid?: string | string[] | undefined
      /** Maximum number of items in the response */
      limit?: number | undefined
      /** Number of items to skip */
      offset?: number | undefined
      sort?: 'created_at_asc' | 'created_at_desc' | 'description_asc' | 'description_desc' | 'settled_index_asc' | 'settled_index_desc' | 'us_dollar_amount_asc' | 'us_dollar_amount_desc' | undefined
    }
    output: List<CustodialLineItem>
  }
  /** Get one line item of a Custodial Account. Returns a credit or debit of a Custodial Account. */
  'GET /custodial_line_items/{uid}': {
    input: {
      uid: string
    }
    output: CustodialLineItem
  }
  /** List Virtual Reference Numbers. Lists the Virtual Reference Numbers. */
  'GET /virtual_reference_numbers': {
    input: {
      /** Exact match, case ignored. May be repeated. */
      instant_payment_rail_registration_status?: 'pending' | 'registered' | 'unregistered' | 'failed' | ('pending' | 'registered' | 'unregistered' | 'failed')[] | undefined
      /** Exact match, case ignored. May be repeated. */
      status?: 'active' | 'archived' | ('active' | 'archived')[] | undefined
      /** Exact match, case ignored. May be repeated. */
      synthetic_account_uid?: string | string[] | undefined
      /** Exact match, case ignored. May be repeated. */
      virtual_reference_number?: string | string[] | undefined
      /** Maximum number of items in the response */
      limit?: number | undefined
      /** Number of items to skip */
      offset?: number | undefined
    }
    output: List<VirtualReferenceNumberSummary>
  }
  /** Create a Virtual Reference Number. Creates a Virtual Reference Number, which receives payments for a general account. */
  'POST /virtual_reference_numbers': {
    input: CreateVirtualReferenceNumber
    output: VirtualReferenceNumber
  }
  /** Get one Virtual Reference Number. Returns a Virtual Reference Number. */
  'GET /virtual_reference_numbers/{uid}': {
    input: {
      uid: string
    }
    output: VirtualReferenceNumber
  }
  /** Edit a Virtual Reference Number. Changes the name of a Virtual Reference Number. */
  'PUT /virtual_reference_numbers/{uid}': {
    input: {
      uid: string
    } & UpdateVirtualReferenceNumber
    output: VirtualReferenceNumber
  }
  /** Archive a Virtual Reference Number. Archives a Virtual Reference Number. It receives no further payments. */
  'DELETE /virtual_reference_numbers/{uid}': {
    input: {
      uid: string
    }
    output: undefined
  }
  /** Lock a Virtual Reference Number. Locks a Virtual Reference Number. While it is locked, it receives no payments. */
  'PUT /virtual_reference_numbers/{uid}/lock': {
    input: {
      uid: string
    } & LockVirtualReferenceNumber
    output: VirtualReferenceNumber
  }
  /** Unlock a Virtual Reference Number. Unlocks a Virtual Reference Number. */
  'PUT /virtual_reference_numbers/{uid}/unlock': {
    input: {
      uid: string
    }
    output: VirtualReferenceNumber
  }
  /** List Returns. Lists the Returns. */
  'GET /returns': {
    input: {
      /** Exact match, case ignored. May be repeated. */
      customer_uid?: string | string[] | undefined
      /** Exact match, case ignored. May be repeated. */
      requestor_type?: 'customer' | 'subclient' | ('customer' | 'subclient')[] | undefined
      /** Exact match, case ignored. May be repeated. */
      status?: 'queued' | 'pending' | 'settled' | 'failed' | 'canceled' | ('queued' | 'pending' | 'settled' | 'failed' | 'canceled')[] | undefined
      /** Strictly after */
      created_at_after?: string | undefined
      /** Strictly before */
      created_at_before?: string | undefined
      /** Maximum number of items in the response */
      limit?: number | undefined
      /** Number of items to skip */
      offset?: number | undefined
    }
    output: {
      /** Items that match */
      total_count: number
      /** Items in this response */
      count: number
      limit: number
      offset: number
      data: ReturnSummary[]
      /** Declared by the published interface, but never sent @deprecated */
      uid?: string | undefined
      /** Declared by the published interface, but never sent @deprecated */
      external_uid?: string | undefined
      /** Declared by the published interface, but never sent @deprecated */
      original_transaction_uid?: string | undefined
      /** Declared by the published interface, but never sent @deprecated */
      return_transaction_uid?: string | undefined
      /** Declared by the published interface, but never sent @deprecated */
      customer_uid?: string | undefined
      /** Declared by the published interface, but never sent @deprecated */
      requestor_type?: string | undefined
      /** Declared by the published interface, but never sent @deprecated */
      return_reason?: string | undefined
      /** Declared by the published interface, but never sent @deprecated */
      status?: string | undefined
      /** Declared by the published interface, but never sent @deprecated */
      created_at?: string | undefined
    }
  }
  /** Return or reverse a settled Transaction. Returns a settled payment. */
  'POST /returns': {
    input: CreateReturn
    output: Return
  }
  /** Get one Return. Returns a Return. */
  'GET /returns/{uid}': {
    input: {
      uid: string
    }
    output: Return
  }
  /** List Combined Transfers. Lists the Combined Transfers. */
  'GET /combined_transfers': {
    input: {
      /** Strictly after */
      created_at_after?: string | undefined
      /** Strictly before */
      created_at_before?: string | undefined
      /** Exact match, case ignored. May be repeated. */
      external_uid?: string | string[] | undefined
      /** Exact match, case ignored. May be repeated. */
      status?: 'queued' | 'pending' | 'failed' | 'completed' | ('queued' | 'pending' | 'failed' | 'completed')[] | undefined
      /** Exact match, case ignored. May be repeated. */
      synthetic_account_external_uid?: string | string[] | undefined
      /** Exact match, case ignored. May be repeated. */
      synthetic_account_pool_uid?: string | string[] | undefined
      /** Exact match, case ignored. May be repeated. */
      synthetic_account_uid?: string | string[] | undefined
      /** Exact match, case ignored. May be repeated. */
      transfer_customer_uid?: string | string[] | undefined
      /** Exact match, case ignored. May be repeated. */
      transfer_external_uid?: string | string[] | undefined
      /** Exact match, case ignored. May be repeated. */
      transfer_uid?: string | string[] | undefined
      /** Maximum number of items in the response */
      limit?: number | undefined
      /** Number of items to skip */
      offset?: number | undefined
    }
    output: List<CombinedTransfer>
  }
  /** Create a counterparty and a Transfer in one call. Creates a counterparty, an external Synthetic Account, and then a Transfer to or from it. */
  'POST /combined_transfers': {
    input: CreateCombinedTransfer
    output: CombinedTransfer
  }
  /** Get one Combined Transfer. Returns a Combined Transfer with its status and, after a failure, its errors. */
  'GET /combined_transfers/{uid}': {
    input: {
      uid: string
    }
    output: CombinedTransfer
  }
  /** Simulate a Transaction. Simulates a payment from outside, to a general account or a Virtual Reference Number. */
  'POST /sandbox/mock_transactions': {
    input: MockTransaction
    output: MockTransactionAnswer
  }
  /** List the closing balances of Custodial Accounts. Lists the balances of Custodial Accounts at the end of each business day. */
  'GET /custodial_account_closing_balances': {
    input: {
      /** Exact match, case ignored. May be repeated. */
      custodial_account_uid?: string | string[] | undefined
      /** Exact match, case ignored. May be repeated. */
      custodial_account_external_uid?: string | string[] | undefined
      /** Exactly this instant */
      net_usd_closing_balance_as_of?: string | undefined
      /** Strictly before */
      net_usd_closing_balance_before?: string | undefined
      /** Strictly after */
      net_usd_closing_balance_after?: string | undefined
      /** Maximum number of items in the response */
      limit?: number | undefined
      /** Number of items to skip */
      offset?: number | undefined
    }
    output: List<CustodialAccountClosingBalance>
  }
  /** Get one closing balance of a Custodial Account. Returns the balance of a Custodial Account at the end of a business day. */
  'GET /custodial_account_closing_balances/{uid}': {
    input: {
      uid: string
    }
    output: CustodialAccountClosingBalance
  }
  /** List the closing balances of Synthetic Accounts. Lists the balances of Synthetic Accounts at the end of each business day. */
  'GET /synthetic_account_closing_balances': {
    input: {
      /** Exact match, case ignored. May be repeated. */
      synthetic_account_uid?: string | string[] | undefined
      /** Exact match, case ignored. May be repeated. */
      synthetic_account_external_uid?: string | string[] | undefined
      /** Exactly this instant */
      net_usd_closing_balance_as_of?: string | undefined
      /** Strictly before */
      net_usd_closing_balance_before?: string | undefined
      /** Strictly after */
      net_usd_closing_balance_after?: string | undefined
      /** Maximum number of items in the response */
      limit?: number | undefined
      /** Number of items to skip */
      offset?: number | undefined
    }
    output: List<SyntheticAccountClosingBalance>
  }
  /** Get one closing balance of a Synthetic Account. Returns the balance of a Synthetic Account at the end of a business day. */
  'GET /synthetic_account_closing_balances/{uid}': {
    input: {
      uid: string
    }
    output: SyntheticAccountClosingBalance
  }
}

/** The methods of the control API. */
export interface ControlMethods {
  /** The clock: time, mode, pace and the next task */
  'clock.read': {
    input: Record<string, never>
    output: {
      now: string
      mode: 'running' | 'frozen'
      pace: 'fast' | 'real'
      break_on: {
        collection: string
        status: string
        /** Only this record */
        uid?: string | undefined
      } | null
      /** The next task; recurring tasks do not count */
      next: {
        at: string
        what: string
        /** The sentence as data, so that nothing needs to parse it */
        message: {
          code: string
          facts: Record<string, unknown>
        }
      } | null
      /** Number of scheduled tasks, without the recurring ones */
      due: number
    }
  }
  /** Freeze the clock or let it run, choose the pace of payments, set a break condition */
  'clock.set': {
    input: {
      mode?: 'running' | 'frozen' | undefined
      pace?: 'fast' | 'real' | undefined
      /** null removes it */
      break_on?: {
        collection: string
        status: string
        /** Only this record */
        uid?: string | undefined
      } | null | undefined
    }
    output: {
      now: string
      mode: 'running' | 'frozen'
      pace: 'fast' | 'real'
      break_on: {
        collection: string
        status: string
        /** Only this record */
        uid?: string | undefined
      } | null
      /** The next task; recurring tasks do not count */
      next: {
        at: string
        what: string
        /** The sentence as data, so that nothing needs to parse it */
        message: {
          code: string
          facts: Record<string, unknown>
        }
      } | null
      /** Number of scheduled tasks, without the recurring ones */
      due: number
    }
  }
  /** Advance the clock; returns when every task that is due has run */
  'clock.advance': {
    input: {
      /** ISO 8601 duration */
      by: string
      /** Whether time stands still until the receivers of webhooks have answered, so that all retries that come due are made. Default: true. false: events are sent while time passes, and an outcome counts from the simulated time at which it comes, mostly after the advance: the wait before the next attempt begins then, and a further advance makes it */
      wait_for_webhooks?: boolean | undefined
    } | {
      /** ISO 8601 instant */
      to: string
      /** Whether time stands still until the receivers of webhooks have answered, so that all retries that come due are made. Default: true. false: events are sent while time passes, and an outcome counts from the simulated time at which it comes, mostly after the advance: the wait before the next attempt begins then, and a further advance makes it */
      wait_for_webhooks?: boolean | undefined
    } | {
      business_days: number
      /** Whether time stands still until the receivers of webhooks have answered, so that all retries that come due are made. Default: true. false: events are sent while time passes, and an outcome counts from the simulated time at which it comes, mostly after the advance: the wait before the next attempt begins then, and a further advance makes it */
      wait_for_webhooks?: boolean | undefined
    } | {
      until: 'next' | 'idle'
      /** Whether time stands still until the receivers of webhooks have answered, so that all retries that come due are made. Default: true. false: events are sent while time passes, and an outcome counts from the simulated time at which it comes, mostly after the advance: the wait before the next attempt begins then, and a further advance makes it */
      wait_for_webhooks?: boolean | undefined
    }
    output: {
      from: string
      to: string
      ran: number
      /** goal: it came to its end; break_on: the condition of clock.set was met; cancel: clock.cancel */
      stopped_by: 'goal' | 'break_on' | 'cancel'
      /** The record that met break_on */
      met: {
        collection: string
        /** Identifier created by the service */
        uid: string
        status: string
      } | null
      fired: ({
        at: string
        task: string
        record: string | null
        outcome: string
        /** The sentence as data, so that nothing needs to parse it */
        message: {
          code: string
          facts: Record<string, unknown>
        }
        /** Only of tasks.run: the kinds of the tasks of the same record that were due before and had not run */
        overtaken?: string[] | undefined
      })[]
      /** The webhooks whose receivers did not answer three attempts, so that the others were not sent */
      silent_webhooks: ({
        /** Identifier created by the service */
        uid: string
        url: string
        /** How many of its attempts had no answer in time */
        unanswered: number
        /** How many further attempts have failed without being sent */
        not_sent: number
        /** The same in words, and what to do */
        message: string
      })[]
    }
  }
  /** Stop a running advance after its current task */
  'clock.cancel': {
    input: Record<string, never>
    output: {
      canceled: boolean
    }
  }
  /** The holidays of the Federal Reserve within these days */
  'calendar.read': {
    input: {
      from: string
      days: number
    }
    output: {
      holidays: ({
        date: string
        name: string
      })[]
    }
  }
  /** The scheduled tasks: when, for which record and why */
  'tasks.list': {
    input: Record<string, never>
    output: {
      tasks: ({
        /** Identifier created by the service */
        uid: string
        due_at: string
        kind: string
        record: string | null
        why: string
        /** The sentence as data, so that nothing needs to parse it */
        message: {
          code: string
          facts: Record<string, unknown>
        }
        recurring: boolean
        held: boolean
        /** The earlier task of the record with which it is held */
        held_by?: string | undefined
        failed: string | null
        /** Identifier created by the service */
        program_uid: string
      })[]
    }
  }
  /** Run one task now, no matter when it is due; also a failed one. Names the earlier tasks of its record */
  'tasks.run': {
    input: {
      /** Identifier created by the service */
      uid: string
    }
    output: {
      at: string
      task: string
      record: string | null
      outcome: string
      /** The sentence as data, so that nothing needs to parse it */
      message: {
        code: string
        facts: Record<string, unknown>
      }
      /** Only of tasks.run: the kinds of the tasks of the same record that were due before and had not run */
      overtaken?: string[] | undefined
    }
  }
  /** Hold a task and the later ones of its record: they do not run when they are due */
  'tasks.hold': {
    input: {
      /** Identifier created by the service */
      uid: string
    }
    output: {
      /** Identifier created by the service */
      uid: string
      due_at: string
      kind: string
      record: string | null
      why: string
      /** The sentence as data, so that nothing needs to parse it */
      message: {
        code: string
        facts: Record<string, unknown>
      }
      recurring: boolean
      held: boolean
      /** The earlier task of the record with which it is held */
      held_by?: string | undefined
      failed: string | null
      /** Identifier created by the service */
      program_uid: string
    }
  }
  /** Release a held task and the later ones of its record: they run when due, or at once if overdue */
  'tasks.release': {
    input: {
      /** Identifier created by the service */
      uid: string
    }
    output: {
      /** Identifier created by the service */
      uid: string
      due_at: string
      kind: string
      record: string | null
      why: string
      /** The sentence as data, so that nothing needs to parse it */
      message: {
        code: string
        facts: Record<string, unknown>
      }
      recurring: boolean
      held: boolean
      /** The earlier task of the record with which it is held */
      held_by?: string | undefined
      failed: string | null
      /** Identifier created by the service */
      program_uid: string
    }
  }
  /** The records of a collection, with the filters, sorting and pages of its list in the API */
  'records.list': {
    input: {
      collection: string
      /** Identifier created by the service */
      program_uid?: string | undefined
      limit?: number | undefined
      offset?: number | undefined
      /** By any field, as a path, instead of `sort`. Amounts by size; missing values come last */
      order?: {
        field: string
        descending?: boolean | undefined
      } | undefined
      /** Only records whose fields are in all these ranges, ends included. A date without a time is its start in UTC */
      ranges?: ({
        field: string
        from?: string | undefined
        to?: string | undefined
      })[] | undefined
      /** Only these; unknown ones are ignored */
      uids?: string[] | undefined
      /** Only these fields of each record, as paths; uid is always included */
      fields?: string[] | undefined
      [field: string]: unknown
    }
    output: List<Record<string, unknown>>
  }
  /** The settled incoming payments of each VRN of a Program: their number and sum */
  'records.received': {
    input: {
      /** Identifier created by the service */
      program_uid?: string | undefined
    }
    output: {
      received: ({
        /** Identifier created by the service */
        uid: string
        payments: number
        /** US dollars with two decimals */
        us_dollar_amount: string
      })[]
    }
  }
  /** One record of a collection */
  'records.get': {
    input: {
      collection: string
      /** Identifier created by the service */
      uid: string
    }
    output: Record<string, unknown>
  }
  /** Search all collections for a uid, a name, an external_uid, last four digits or an amount; best match first */
  'records.search': {
    input: {
      text: string
      /** Only this Program; an exact uid is found in every Program */
      program_uid?: string | undefined
      /** Default 8 */
      limit?: number | undefined
    }
    output: {
      records: ({
        collection: string
        /** Identifier created by the service */
        uid: string
        /** Identifier created by the service */
        program_uid: string
        /** Name of the record */
        says: string
        /** The field that matches */
        field: string
        value: string
        status: string | null
        amount: string | null
      })[]
      /** false: only the newest 10,000 records of a collection were searched */
      complete: boolean
    }
  }
  /** The history of a record: every commit of the current branch that changed it, newest first */
  'records.history': {
    input: {
      collection: string
      /** Identifier created by the service */
      uid: string
      limit?: number | undefined
    }
    output: {
      commits: ({
        seq: number
        at: string
        cause: {
          door: 'request' | 'time' | 'operator'
          name: string
          exchange?: string | undefined
          /** For an advance: the time before it */
          from?: string | undefined
          /** For moves.make: the decision */
          decision?: string | undefined
        }
        what: 'made' | 'changed' | 'removed'
        fields: ({
          /** A path, for example details.phone */
          field: string
          from: unknown
          to: unknown
        })[]
      })[]
    }
  }
  /** The records that refer to a record, those it refers to, and its scheduled tasks */
  'records.related': {
    input: {
      collection: string
      /** Identifier created by the service */
      uid: string
    }
    output: {
      related: ({
        collection: string
        total_count: number
        /** The newest 50 */
        records: ({
          /** Identifier created by the service */
          uid: string
          says: string
          name: string
          status: string | null
          amount: string | null
        })[]
      })[]
      /** Those that the record refers to, at most 200 */
      named: ({
        collection: string
        /** Identifier created by the service */
        uid: string
        name: string
        status: string | null
        amount: string | null
      })[]
      tasks: ({
        /** Identifier created by the service */
        uid: string
        due_at: string
        kind: string
        record: string | null
        why: string
        /** The sentence as data, so that nothing needs to parse it */
        message: {
          code: string
          facts: Record<string, unknown>
        }
        recurring: boolean
        held: boolean
        /** The earlier task of the record with which it is held */
        held_by?: string | undefined
        failed: string | null
        /** Identifier created by the service */
        program_uid: string
      })[]
    }
  }
  /** The timeline of a Customer: requests, states, money and clock changes, newest first */
  'records.story': {
    input: {
      /** Identifier created by the service */
      uid: string
      limit?: number | undefined
      /** Skips this many of the newest entries */
      offset?: number | undefined
      /** Include successful requests that changed nothing */
      reads?: boolean | undefined
    }
    output: {
      entries: ({
        at: string
        /** null for a request that changed nothing */
        seq: number | null
        kind: 'request' | 'state' | 'money' | 'time' | 'record'
        text: string
        /** The text as data; null for a request */
        message: {
          code: string
          facts: Record<string, unknown>
        } | null
        collection: string | null
        uid: string | null
        cause: {
          door: 'request' | 'time' | 'operator'
          name: string
          exchange?: string | undefined
          /** For an advance: the time before it */
          from?: string | undefined
          /** For moves.make: the decision */
          decision?: string | undefined
        } | null
        /** Name of the record */
        name: string | null
        /** The name as data, if the sandbox composed it */
        name_message: {
          code: string
          facts: Record<string, unknown>
        } | null
        /** For a state: the field that changed */
        field: string | null
        /** The value before: of a state, the clock or a balance */
        from: string | null
        /** The value after */
        to: string | null
        /** The amount, with its sign from the view of the Customer */
        amount: string | null
        /** The amount is not settled yet */
        pending: boolean
        /** Balance of the account afterwards */
        balance: string | null
        /** The Transaction that changed the balance */
        payment: {
          /** Identifier created by the service */
          uid: string
          type: string
          description: string
          /** The sentence as data, so that nothing needs to parse it */
          message: {
            code: string
            facts: Record<string, unknown>
          }
          /** For a return: the Transaction that it returns */
          original_uid?: string | undefined
          /** For a return of an ACH */
          ach_return_code?: string | undefined
        } | null
        /** The request, while the request log still has it */
        exchange: {
          /** Identifier created by the service */
          uid: string
          method: string
          /** With the query */
          path: string
          status: number
          code: number | null
          /** What the request did, or why it was refused, in one line */
          did: string
        } | null
      })[]
      /** There are older entries */
      more: boolean
    }
  }
  /** Why a record, or one of its fields, has its present value: from the value back to its causes */
  'why': {
    input: {
      collection: string
      /** Identifier created by the service */
      uid: string
      field?: string | undefined
    }
    output: {
      chain: ({
        collection: string
        /** Identifier created by the service */
        uid: string
        says: string
        /** The commit; null when it is no longer stored */
        seq: number | null
        at: string | null
        cause: {
          door: 'request' | 'time' | 'operator'
          name: string
          exchange?: string | undefined
          /** For an advance: the time before it */
          from?: string | undefined
          /** For moves.make: the decision */
          decision?: string | undefined
        } | null
        /** The rule that was applied */
        rule: string | null
        /** Section of the specification */
        section: string | null
        /** The data that forced the outcome */
        forced_by: string | null
      })[]
      /** For a balance: its parts */
      statement: {
        field: string
        parts: ({
          says: string
          /** As counted: 0.00 for a part that does not count */
          amount: string
          /** The payment of this part, with its explanation */
          of: {
            /** US dollars with two decimals */
            amount: string
            pending: boolean
            chain: ({
              collection: string
              /** Identifier created by the service */
              uid: string
              says: string
              /** The commit; null when it is no longer stored */
              seq: number | null
              at: string | null
              cause: {
                door: 'request' | 'time' | 'operator'
                name: string
                exchange?: string | undefined
                /** For an advance: the time before it */
                from?: string | undefined
                /** For moves.make: the decision */
                decision?: string | undefined
              } | null
              /** The rule that was applied */
              rule: string | null
              /** Section of the specification */
              section: string | null
              /** The data that forced the outcome */
              forced_by: string | null
            })[]
          } | null
          /** The account of this part */
          account: {
            collection: string
            /** Identifier created by the service */
            uid: string
          } | null
          /** Of a settled balance: the line item of this part */
          line_item: {
            collection: string
            /** Identifier created by the service */
            uid: string
            at: string
            /** Identifier created by the service */
            transaction_uid: string
          } | null
        })[]
        /** US dollars with two decimals */
        total: string
        rule: string
        section: string | null
      } | null
    }
  }
  /** The path of a payment: its states over banking days, those that can follow, and its entries in both books */
  'payments.path': {
    input: {
      /** A Transaction. For a return the answer begins with the payment that it returns */
      uid: string
    }
    output: {
      /** The payment first, then its returns */
      payments: ({
        /** Identifier created by the service */
        transaction_uid: string
        type: string
        rail: string
        /** US dollars with two decimals */
        amount: string
        status: string
        /** In order; the last one is the current state */
        passed: ({
          state: string
          /** null if the commit is no longer stored */
          from: string | null
          /** null for the current state, or if the commit is no longer stored */
          until: string | null
          /** What led to it */
          cause: {
            door: 'request' | 'time' | 'operator'
            name: string
            exchange?: string | undefined
            /** For an advance: the time before it */
            from?: string | undefined
            /** For moves.make: the decision */
            decision?: string | undefined
          } | null
        })[]
        /** The scheduled ones first, in order; then those by a decision */
        next: ({
          state: string
          /** The transition of the state machine */
          event: string
          /** The state before it */
          after: string
          /** When it is scheduled; null if only a decision leads to it */
          at: string | null
          /** Its task is held, or failed */
          held: boolean
        })[]
        source: {
          /** An account of the same book */
          uid: string
          name: string
          /** A party without an account here; uid is the asset account */
          outside: boolean
        }
        destination: {
          /** An account of the same book */
          uid: string
          name: string
          /** A party without an account here; uid is the asset account */
          outside: boolean
        }
        /** Posted, or to be posted when it settles. Empty if nothing was or will be posted */
        entries: ({
          book: 'synthetic' | 'custodial'
          account: {
            /** An account of the same book */
            uid: string
            name: string
            /** A party without an account here; uid is the asset account */
            outside: boolean
          }
          /** US dollars with two decimals */
          amount: string
          /** null for an entry that would post next */
          line_item_uid: string | null
        })[]
        posted: boolean
      })[]
      /** A return that its data forces, and that has not arrived yet */
      return_due: {
        arrives_at: string
        settles_at: string
        /** Its task is held, or failed */
        held: boolean
        /** That would post when the return settles */
        entries: ({
          book: 'synthetic' | 'custodial'
          account: {
            /** An account of the same book */
            uid: string
            name: string
            /** A party without an account here; uid is the asset account */
            outside: boolean
          }
          /** US dollars with two decimals */
          amount: string
          /** null for an entry that would post next */
          line_item_uid: string | null
        })[]
      } | null
      now: string
      from: string
      /** The last passed or scheduled instant */
      until: string
      /** The days in New York from the first to the last instant; of very many, the first 100 */
      days: ({
        date: string
        start: string
        end: string
        banking: boolean
        holiday: string | null
      })[]
      /** Cut-offs and settlements of the rail on these days. None at the pace fast */
      times: ({
        at: string
        name: 'ACH cut-off' | 'ACH settlement' | 'same-day ACH cut-off' | 'same-day ACH settlement' | 'wires open' | 'wire cut-off' | 'Fedwire opens' | 'Fedwire closes'
      })[]
    }
  }
  /** Requests, refusals and settled money by rail over simulated time, and the errors by code and endpoint */
  'world.pulse': {
    input: {
      /** Identifier created by the service */
      program_uid?: string | undefined
      /** Ends now. Default: week */
      period?: 'hour' | 'day' | 'week' | 'month' | 'all' | undefined
    }
    output: {
      from: string
      /** Now; it belongs to the last step */
      until: string
      /** Length of a step */
      step_ms: number
      /** One for each step, by its start */
      requests: ({
        at: string
        total: number
        refused: number
      })[]
      /** The rails on which payments settled */
      rails: ({
        rail: string
        payments: number
        /** Settled in the period */
        us_dollar_amount: string
        /** One for each step */
        steps: string[]
      })[]
      /** Refused requests by code and endpoint, the most frequent first */
      errors: ({
        code: number | null
        status: number
        /** null when no route matched */
        endpoint: string | null
        requests: number
        /** Exchange uid */
        newest: string
      })[]
      /** The request log still has every request of a caller with a token of this world */
      log_complete: boolean
    }
  }
  /** The flow of money of a Customer: its accounts, VRNs and counterparties, and what moved between each two of them */
  'customers.map': {
    input: {
      /** Identifier created by the service */
      customer_uid: string
      /** Ends now. Default: all */
      period?: 'hour' | 'day' | 'week' | 'month' | 'all' | undefined
      from?: string | undefined
      /** Included, as from is. Default: now */
      until?: string | undefined
      /** The largest accounts, VRNs and parties; two or more others are one node. Default: 30 */
      limit?: number | undefined
      /** The nodes of a flow whose Transactions are wanted, too */
      flow?: {
        from: string
        to: string
      } | undefined
    }
    output: {
      /** null: since the beginning */
      from: string | null
      until: string
      /** Accounts with a flow or a balance, VRNs and parties with a flow; of each the largest first */
      nodes: ({
        id: string
        /** A party is an external account, or someone without an account here, known by name */
        role: 'account' | 'vrn' | 'party'
        name: string
        /** The Synthetic Account or VRN; null for a party without an account */
        uid: string | null
        /** Of a Synthetic Account */
        category: string | null
        status: string | null
        /** Of an account of the Customer, at the end of the time */
        balance: string | null
        /** How many are in this one node; 0 for a node of its own */
        others: number
        /** The flows to it; of a VRN those from parties */
        in: {
          /** Payments that settled in the time */
          settled: {
            /** US dollars with two decimals */
            us_dollar_amount: string
            payments: number
          }
          /** Payments under way at its end */
          pending: {
            /** US dollars with two decimals */
            us_dollar_amount: string
            payments: number
          }
          /** Returns that settled in the time: this money went back */
          returned: {
            /** US dollars with two decimals */
            us_dollar_amount: string
            payments: number
          }
          /** Returns under way at its end */
          return_pending: {
            /** US dollars with two decimals */
            us_dollar_amount: string
            payments: number
          }
        }
        /** The flows from it; of a VRN those to parties */
        out: {
          /** Payments that settled in the time */
          settled: {
            /** US dollars with two decimals */
            us_dollar_amount: string
            payments: number
          }
          /** Payments under way at its end */
          pending: {
            /** US dollars with two decimals */
            us_dollar_amount: string
            payments: number
          }
          /** Returns that settled in the time: this money went back */
          returned: {
            /** US dollars with two decimals */
            us_dollar_amount: string
            payments: number
          }
          /** Returns under way at its end */
          return_pending: {
            /** US dollars with two decimals */
            us_dollar_amount: string
            payments: number
          }
        }
      })[]
      /** The largest first */
      flows: ({
        /** The id of a node */
        from: string
        to: string
        /** Payments that settled in the time */
        settled: {
          /** US dollars with two decimals */
          us_dollar_amount: string
          payments: number
        }
        /** Payments under way at its end */
        pending: {
          /** US dollars with two decimals */
          us_dollar_amount: string
          payments: number
        }
        /** Returns that settled in the time: this money went back */
        returned: {
          /** US dollars with two decimals */
          us_dollar_amount: string
          payments: number
        }
        /** Returns under way at its end */
        return_pending: {
          /** US dollars with two decimals */
          us_dollar_amount: string
          payments: number
        }
        rails: ({
          rail: string
          /** Payments that settled in the time */
          settled: {
            /** US dollars with two decimals */
            us_dollar_amount: string
            payments: number
          }
          /** Payments under way at its end */
          pending: {
            /** US dollars with two decimals */
            us_dollar_amount: string
            payments: number
          }
          /** Returns that settled in the time: this money went back */
          returned: {
            /** US dollars with two decimals */
            us_dollar_amount: string
            payments: number
          }
          /** Returns under way at its end */
          return_pending: {
            /** US dollars with two decimals */
            us_dollar_amount: string
            payments: number
          }
        })[]
        /** Its newest Transaction */
        newest: string
      })[]
      totals: {
        /** From parties */
        in: {
          /** Payments that settled in the time */
          settled: {
            /** US dollars with two decimals */
            us_dollar_amount: string
            payments: number
          }
          /** Payments under way at its end */
          pending: {
            /** US dollars with two decimals */
            us_dollar_amount: string
            payments: number
          }
          /** Returns that settled in the time: this money went back */
          returned: {
            /** US dollars with two decimals */
            us_dollar_amount: string
            payments: number
          }
          /** Returns under way at its end */
          return_pending: {
            /** US dollars with two decimals */
            us_dollar_amount: string
            payments: number
          }
        }
        /** To parties */
        out: {
          /** Payments that settled in the time */
          settled: {
            /** US dollars with two decimals */
            us_dollar_amount: string
            payments: number
          }
          /** Payments under way at its end */
          pending: {
            /** US dollars with two decimals */
            us_dollar_amount: string
            payments: number
          }
          /** Returns that settled in the time: this money went back */
          returned: {
            /** US dollars with two decimals */
            us_dollar_amount: string
            payments: number
          }
          /** Returns under way at its end */
          return_pending: {
            /** US dollars with two decimals */
            us_dollar_amount: string
            payments: number
          }
        }
        /** Between accounts of the Customer */
        between: {
          /** Payments that settled in the time */
          settled: {
            /** US dollars with two decimals */
            us_dollar_amount: string
            payments: number
          }
          /** Payments under way at its end */
          pending: {
            /** US dollars with two decimals */
            us_dollar_amount: string
            payments: number
          }
          /** Returns that settled in the time: this money went back */
          returned: {
            /** US dollars with two decimals */
            us_dollar_amount: string
            payments: number
          }
          /** Returns under way at its end */
          return_pending: {
            /** US dollars with two decimals */
            us_dollar_amount: string
            payments: number
          }
        }
      }
      /** The Transactions of the wanted flow, newest first, at most 10,000; null without one */
      payments: string[] | null
    }
  }
  /** The decisions about a record: possible ones with their inputs, the others with the reason */
  'moves.list': {
    input: {
      collection: string
      /** Identifier created by the service */
      uid: string
    }
    output: {
      moves: ({
        move: string
        to: string
        legal: boolean
        why_not: string | null
        inputs: ({
          name: string
          required: boolean
          values?: string[] | undefined
        })[]
      })[]
    }
  }
  /** Decide about a record as a bank, a network or a compliance officer */
  'moves.make': {
    input: {
      collection: string
      /** Identifier created by the service */
      uid: string
      move: string
      inputs?: Record<string, unknown> | undefined
    }
    output: Record<string, unknown>
  }
  /** Create a Transaction by a movement outside the application: by card, a direct deposit, interest, a fee */
  'transactions.inject': {
    input: OutsideTransaction
    output: Record<string, unknown>
  }
  /** Create a Customer in a Program whose Client is the Customer */
  'operator.create_customer': {
    input: {
      /** Identifier created by the service */
      program_uid: string
      customer: CreateCustomer
    }
    output: Record<string, unknown>
  }
  /** The accounts of both books with their balances, now or at an earlier instant */
  'ledger.accounts': {
    input: {
      /** Identifier created by the service */
      program_uid?: string | undefined
      book?: 'synthetic' | 'custodial' | undefined
      /** Only these */
      uid?: string[] | undefined
      /** The state just before this instant. Default: now */
      at?: string | undefined
    }
    output: {
      accounts: ({
        book: 'synthetic' | 'custodial'
        /** Identifier created by the service */
        uid: string
        name: string
        /** Identifier created by the service */
        program_uid: string
        /** Identifier created by the service */
        customer_uid: string
        customer_name: string
        /** Identifier created by the service */
        pool_uid: string
        /** Category of a Synthetic Account, type of a Custodial Account */
        kind: string
        /** The current status; null for the cash accounts */
        status: string | null
        /** The master account of its Pool */
        master: boolean
        account_number_last_four: string | null
        liability: boolean
        /** The sum of its lines */
        balance: string
        pending: string | null
        available: string | null
        lines: number
      })[]
    }
  }
  /** The line items of both books, newest first */
  'ledger.lines': {
    input: {
      /** Identifier created by the service */
      program_uid?: string | undefined
      book?: 'synthetic' | 'custodial' | undefined
      /** Identifier created by the service */
      account_uid?: string | undefined
      /** Identifier created by the service */
      transaction_uid?: string | undefined
      /** The state just before this instant. Default: now */
      at?: string | undefined
      limit?: number | undefined
      offset?: number | undefined
    }
    output: List<{
      book: 'synthetic' | 'custodial'
      /** Identifier created by the service */
      uid: string
      /** Identifier created by the service */
      account_uid: string
      account_name: string
      /** Identifier created by the service */
      transaction_uid: string
      /** Type of the Transaction */
      type: string
      source: {
        /** An account of the same book */
        uid: string
        name: string
        /** A party without an account here; uid is the asset account */
        outside: boolean
      }
      destination: {
        /** An account of the same book */
        uid: string
        name: string
        /** A party without an account here; uid is the asset account */
        outside: boolean
      }
      /** The description of the Transaction */
      purpose: string
      /** US dollars with two decimals */
      amount: string
      /** US dollars with two decimals */
      running: string
      description: string
      at: string
    }>
  }
  /** The balance of an account over simulated time, computed from its line items and payments; past and scheduled */
  'ledger.balances': {
    input: {
      /** Identifier created by the service */
      account_uid: string
      /** Default: before its first payment */
      from?: string | undefined
      /** The state just before this instant. Default: now */
      at?: string | undefined
    }
    output: {
      /** Identifier created by the service */
      account_uid: string
      book: 'synthetic' | 'custodial'
      from: string
      at: string
      /** In order; the first one is at `from`, each is valid until the next one */
      steps: ({
        at: string
        /** US dollars with two decimals */
        settled: string
        /** null for an account that shows no balance */
        pending: string | null
        /** null for an account that shows no balance */
        available: string | null
      })[]
      /** Number of steps in all; of very many, only those that shape a chart are returned */
      total_count: number
      /** Newest first */
      pending: ({
        /** Identifier created by the service */
        transaction_uid: string
        /** Type of the Transaction */
        type: string
        source: {
          /** An account of the same book */
          uid: string
          name: string
          /** A party without an account here; uid is the asset account */
          outside: boolean
        }
        destination: {
          /** An account of the same book */
          uid: string
          name: string
          /** A party without an account here; uid is the asset account */
          outside: boolean
        }
        /** The description of the Transaction */
        purpose: string
        /** null for an earlier instant */
        status: string | null
        created_at: string
        /** Signed: the change of the balance when it settles */
        amount: string
        /** When it settles; null while it waits for a decision or is held */
        due_at: string | null
        /** Its data forces it to fail: the balance will not change */
        fails: boolean
      })[]
      /** The future balance, if every pending payment ends as scheduled */
      scheduled: ({
        at: string
        /** US dollars with two decimals */
        settled: string
        /** null for an account that shows no balance */
        pending: string | null
        /** null for an account that shows no balance */
        available: string | null
      })[]
    }
  }
  /** The synthetic book against the custodial book, at each close of day and now */
  'ledger.reconciliation': {
    input: {
      /** Identifier created by the service */
      program_uid?: string | undefined
      /** Default: all Pools of the Program */
      pool_uid?: string | undefined
      /** Number of closes of day. Default: 5 */
      days?: number | undefined
      /** The state just before this instant. Default: now */
      at?: string | undefined
    }
    output: {
      /** Oldest first; the last one is now, or the requested instant */
      closes: ({
        at: string
        /** The business day that closed; null for the requested instant */
        day: string | null
        /** Sum of the accounts that show a balance */
        synthetic: string
        /** Sum of the dda accounts */
        custodial: string
        /** Synthetic minus custodial */
        difference: string
        /** Number of Pools whose books differ; their differences may cancel out */
        pools_apart: number
      })[]
      /** The payments that cause a difference, at most 100 */
      differences: ({
        /** Identifier created by the service */
        transaction_uid: string
        /** Identifier created by the service */
        pool_uid: string
        at: string
        /** US dollars with two decimals */
        synthetic: string
        /** US dollars with two decimals */
        custodial: string
        /** US dollars with two decimals */
        difference: string
      })[]
    }
  }
  /** The sums of both books, from their line items; each total must be 0.00 */
  'ledger.trial_balance': {
    input: {
      /** Identifier created by the service */
      program_uid?: string | undefined
      /** Identifier created by the service */
      pool_uid?: string | undefined
      /** The state just before this instant. Default: now */
      at?: string | undefined
    }
    output: {
      books: ({
        book: 'synthetic' | 'custodial'
        accounts: number
        lines: number
        /** US dollars with two decimals */
        credits: string
        /** US dollars with two decimals */
        debits: string
        /** Must be 0.00 */
        total: string
      })[]
    }
  }
  /** Check both books against their line items, and one book against the other */
  'ledger.check': {
    input: Record<string, never>
    output: {
      balanced: boolean
      /** How many of each were checked */
      checked: Record<string, unknown>
      problems: string[]
    }
  }
  /** The request log, newest first */
  'exchanges.list': {
    input: {
      limit?: number | undefined
      offset?: number | undefined
      /** Identifier created by the service */
      program_uid?: string | undefined
    }
    output: List<{
      /** Identifier created by the service */
      uid: string
      /** Simulated time */
      at: string
      /** Real time at which the request arrived, by the clock of this computer. Missing if it is not known: requests of older versions, and those that the process ended before it logged them */
      received_at?: string | undefined
      program_uid: string | null
      /** Its address and User-Agent. The User-Agent of requests that the sandbox sends itself, for the window, a scenario or a replay, ends in `sandbank` */
      caller: string
      /** Name of the endpoint; null when no route matched */
      endpoint: string | null
      method: string
      /** With the query */
      path: string
      trace_id: string | null
      status: number
      code: number | null
      ms: number
      /** What the request did, or why it was refused, in one line */
      did: string
      hints: number
      /** The fault that was injected */
      fault?: string | undefined
      seq_before: number
      seq_after: number
      /** The commit and the method of the latest rewind, restore, reset or import that went back before this request: what it did is not in the current world. To see that world, create one with worlds.create from the commit seq_after */
      undone_by?: {
        seq: number
        name: string
      } | undefined
    }>
  }
  /** One request with its response, without secrets */
  'exchanges.get': {
    input: {
      /** Identifier created by the service */
      uid: string
    }
    output: {
      /** Identifier created by the service */
      uid: string
      /** Simulated time */
      at: string
      /** Real time at which the request arrived, by the clock of this computer. Missing if it is not known: requests of older versions, and those that the process ended before it logged them */
      received_at?: string | undefined
      program_uid: string | null
      /** Its address and User-Agent. The User-Agent of requests that the sandbox sends itself, for the window, a scenario or a replay, ends in `sandbank` */
      caller: string
      /** Name of the endpoint; null when no route matched */
      endpoint: string | null
      method: string
      /** With the query */
      path: string
      trace_id: string | null
      status: number
      code: number | null
      ms: number
      /** What the request did, or why it was refused, in one line */
      did: string
      hints: number
      /** The fault that was injected */
      fault?: string | undefined
      seq_before: number
      seq_after: number
      /** The commit and the method of the latest rewind, restore, reset or import that went back before this request: what it did is not in the current world. To see that world, create one with worlds.create from the commit seq_after */
      undone_by?: {
        seq: number
        name: string
      } | undefined
      request: {
        headers: ([string, string])[]
        body: string
      }
      response: {
        headers: ([string, string])[]
        body: string
      }
      hinted: ({
        at: string
        text: string
      })[]
      refusal: {
        stage: 'route' | 'token' | 'allowlist' | 'trace id' | 'body' | 'schema' | 'rules'
        key: string
        code: number
        title: string
        detail: string
        extra: string | null
        /** The reason that the response does not disclose */
        cause: string | null
        /** The parts of the request that caused the refusal: fields of the body and parameters of the query by their paths, a header by its name, and {uid} for the uid in the path. Left out if no part of it is wrong */
        fields?: string[] | undefined
        pass: string | null
        section: string | null
      } | null
    }
  }
  /** Send a request with a token of the Program and a new trace id */
  'exchanges.send': {
    input: {
      /** Default: the first Program */
      program_uid?: string | undefined
      /** PATCH is refused with 405, as by the API; HEAD is answered as GET, without a body */
      method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD'
      /** With the query */
      path: string
      /** Sent unchanged, but for numbers that the request log has sealed: they are sent as they were */
      body?: string | undefined
      /** Of the body. Default: application/json */
      content_type?: string | undefined
    }
    output: {
      /** Identifier created by the service */
      uid: string
      /** Simulated time */
      at: string
      /** Real time at which the request arrived, by the clock of this computer. Missing if it is not known: requests of older versions, and those that the process ended before it logged them */
      received_at?: string | undefined
      program_uid: string | null
      /** Its address and User-Agent. The User-Agent of requests that the sandbox sends itself, for the window, a scenario or a replay, ends in `sandbank` */
      caller: string
      /** Name of the endpoint; null when no route matched */
      endpoint: string | null
      method: string
      /** With the query */
      path: string
      trace_id: string | null
      status: number
      code: number | null
      ms: number
      /** What the request did, or why it was refused, in one line */
      did: string
      hints: number
      /** The fault that was injected */
      fault?: string | undefined
      seq_before: number
      seq_after: number
      /** The commit and the method of the latest rewind, restore, reset or import that went back before this request: what it did is not in the current world. To see that world, create one with worlds.create from the commit seq_after */
      undone_by?: {
        seq: number
        name: string
      } | undefined
      request: {
        headers: ([string, string])[]
        body: string
      }
      response: {
        headers: ([string, string])[]
        body: string
      }
      hinted: ({
        at: string
        text: string
      })[]
      refusal: {
        stage: 'route' | 'token' | 'allowlist' | 'trace id' | 'body' | 'schema' | 'rules'
        key: string
        code: number
        title: string
        detail: string
        extra: string | null
        /** The reason that the response does not disclose */
        cause: string | null
        /** The parts of the request that caused the refusal: fields of the body and parameters of the query by their paths, a header by its name, and {uid} for the uid in the path. Left out if no part of it is wrong */
        fields?: string[] | undefined
        pass: string | null
        section: string | null
      } | null
    }
  }
  /** Send recorded requests again and compare the responses */
  'exchanges.replay': {
    input: {
      /** Exchanges of the request log; they are sent again in recorded order */
      uids?: string[] | undefined
      /** Everything since this commit, operator actions included */
      since?: number | undefined
      /** A HAR file, curl lines, or a bundle */
      text?: string | undefined
      /** Default: then; for a HAR file and curl lines: present */
      into?: 'then' | 'present' | 'copy' | {
        snapshot: string
      } | {
        fresh: 'demo' | 'empty'
      } | undefined
      /** Advance the clock between requests as it was recorded. Default: true, but false for the current world */
      gaps?: boolean | undefined
      /** Save the resulting world as a snapshot of this name */
      keep?: string | undefined
    }
    output: {
      same: number
      differs: number
      refused: number
      unrecorded: number
      /** Steps that were not run because the replay was canceled */
      left: number
      exchanges: ({
        index: number
        method: string
        path: string
        /** refused: accepted when recorded, refused now. unrecorded: there is no response to compare with */
        verdict: 'same' | 'differs' | 'refused' | 'unrecorded'
        recorded: {
          status: number
          body: unknown
        } | null
        replayed: {
          status: number
          body: unknown
        }
        differences: ({
          /** Status, a header, or a path into the body */
          at: string
          recorded: unknown
          replayed: unknown
        })[]
      })[]
      /** The recorded operator actions, repeated */
      acts: ({
        name: string
        refused: string | null
      })[]
      /** Entries of the text that could not be replayed */
      unusable: ({
        at: string
        why: string
      })[]
    }
  }
  /** What a HAR file, curl lines or a bundle contain, and what a replay of them needs */
  'recordings.describe': {
    input: {
      text: string
    }
    output: {
      requests: number
      /** Operator actions */
      actions: number
      /** Requests by method and path, the most frequent first; at most 50 */
      kinds: ({
        name: string
        count: number
      })[]
      /** The time of the first request or action, if the recording has times */
      from: string | null
      to: string | null
      /** It contains the world that it begins with */
      has_world: boolean
      /** There are responses to compare with */
      has_responses: boolean
      /** Records that it names and does not create; none if it contains its world */
      needs: string[]
      /** Those that the current world does not have */
      missing: string[]
      unusable: ({
        at: string
        why: string
      })[]
    }
  }
  /** The scenarios of the library, your own, and the latest run */
  'scenarios.list': {
    input: Record<string, never>
    output: {
      scenarios: ({
        /** Name of its file, without the extension */
        name: string
        title: string
        teaches: string | null
        /** Your own; false for one of the library */
        own: boolean
        /** The rows of its table */
        examples: string[]
        steps: number
        /** Why it cannot be run, with line and column */
        trouble: string | null
      })[]
      current: {
        /** null when the text was given */
        name: string | null
        title: string
        example: number
        into: 'scratch' | 'present'
        state: 'running' | 'paused' | 'passed' | 'failed'
        /** The next step, from 0 */
        at: number
        steps: ({
          kind: 'given' | 'request' | 'inject' | 'advance' | 'decide' | 'operator' | 'together' | 'restart' | 'expect'
          title: string
          scenario: string
          line: number
        })[]
        /** The commit before the run, to undo it; null for a temporary world */
        began_at: number | null
        result: {
          name: string
          /** The row of its examples, as in "code: R01" */
          example: string | null
          file: string
          /** Of its name, or of its row of examples */
          line?: number | undefined
          ok: boolean
          /** Why its world could not be set up */
          trouble: string | null
          /** The mistakes of its file, which was not run */
          issues?: ({
            file: string
            line?: number | undefined
            column?: number | undefined
            message: string
          })[] | undefined
          steps: ({
            /** From 0, including the steps of its setup scenario */
            index: number
            kind: 'given' | 'request' | 'inject' | 'advance' | 'decide' | 'operator' | 'together' | 'restart' | 'expect'
            title: string
            /** The scenario that contains it */
            scenario: string
            place: {
              file: string
              line: number
              column: number
            }
            ok: boolean
            sent: {
              method: string
              /** Below the base path, or the name of a control method */
              path: string
              body: string
            } | null
            answer: {
              /** 0 if the connection was dropped */
              status: number
              body: string
            } | null
            /** Of `together`, in the order of the file */
            requests?: ({
              title: string
              ok: boolean
              sent: {
                method: string
                /** Below the base path, or the name of a control method */
                path: string
                body: string
              } | null
              answer: {
                /** 0 if the connection was dropped */
                status: number
                body: string
              } | null
              checks: ({
                /** As in "status", "body data[0].uid", "balance of …" */
                what: string
                expected: unknown
                /** Not set if there was no value */
                actual?: unknown | undefined
                ok: boolean
                place: {
                  file: string
                  line: number
                  column: number
                }
              })[]
              captured: Record<string, unknown>
              /** Why it could not be sent */
              trouble: string | null
            })[] | undefined
            checks: ({
              /** As in "status", "body data[0].uid", "balance of …" */
              what: string
              expected: unknown
              /** Not set if there was no value */
              actual?: unknown | undefined
              ok: boolean
              place: {
                file: string
                line: number
                column: number
              }
            })[]
            captured: Record<string, unknown>
            /** Why the step could not be executed, or what explains its failed expectations */
            trouble: string | null
            /** Simulated time before the step */
            from: string
            /** Simulated time after the step */
            to: string
            ms: number
          })[]
          /** Steps that were not run */
          left: number
          ms: number
        }
      } | null
    }
  }
  /** Save a scenario; replaces your scenario of the same name */
  'scenarios.save': {
    input: {
      name: string
      text: string
    }
    output: {
      /** Name of its file, without the extension */
      name: string
      title: string
      teaches: string | null
      /** Your own; false for one of the library */
      own: boolean
      /** The rows of its table */
      examples: string[]
      steps: number
      /** Why it cannot be run, with line and column */
      trouble: string | null
    }
  }
  /** The text of a scenario */
  'scenarios.read': {
    input: {
      name: string
    }
    output: {
      name: string
      text: string
      own: boolean
    }
  }
  /** Delete one of your scenarios */
  'scenarios.delete': {
    input: {
      name: string
    }
    output: {
      deleted: boolean
    }
  }
  /** Run a scenario by name or by text, or continue the current one; returns when it stops */
  'scenarios.run': {
    input: {
      name?: string | undefined
      text?: string | undefined
      /** The row of its table, from 0. Default: the first */
      example?: number | undefined
      /** Default: scratch */
      into?: 'scratch' | 'present' | undefined
      /** Stop before this step, from 0 */
      until?: number | undefined
    }
    output: {
      /** null when the text was given */
      name: string | null
      title: string
      example: number
      into: 'scratch' | 'present'
      state: 'running' | 'paused' | 'passed' | 'failed'
      /** The next step, from 0 */
      at: number
      steps: ({
        kind: 'given' | 'request' | 'inject' | 'advance' | 'decide' | 'operator' | 'together' | 'restart' | 'expect'
        title: string
        scenario: string
        line: number
      })[]
      /** The commit before the run, to undo it; null for a temporary world */
      began_at: number | null
      result: {
        name: string
        /** The row of its examples, as in "code: R01" */
        example: string | null
        file: string
        /** Of its name, or of its row of examples */
        line?: number | undefined
        ok: boolean
        /** Why its world could not be set up */
        trouble: string | null
        /** The mistakes of its file, which was not run */
        issues?: ({
          file: string
          line?: number | undefined
          column?: number | undefined
          message: string
        })[] | undefined
        steps: ({
          /** From 0, including the steps of its setup scenario */
          index: number
          kind: 'given' | 'request' | 'inject' | 'advance' | 'decide' | 'operator' | 'together' | 'restart' | 'expect'
          title: string
          /** The scenario that contains it */
          scenario: string
          place: {
            file: string
            line: number
            column: number
          }
          ok: boolean
          sent: {
            method: string
            /** Below the base path, or the name of a control method */
            path: string
            body: string
          } | null
          answer: {
            /** 0 if the connection was dropped */
            status: number
            body: string
          } | null
          /** Of `together`, in the order of the file */
          requests?: ({
            title: string
            ok: boolean
            sent: {
              method: string
              /** Below the base path, or the name of a control method */
              path: string
              body: string
            } | null
            answer: {
              /** 0 if the connection was dropped */
              status: number
              body: string
            } | null
            checks: ({
              /** As in "status", "body data[0].uid", "balance of …" */
              what: string
              expected: unknown
              /** Not set if there was no value */
              actual?: unknown | undefined
              ok: boolean
              place: {
                file: string
                line: number
                column: number
              }
            })[]
            captured: Record<string, unknown>
            /** Why it could not be sent */
            trouble: string | null
          })[] | undefined
          checks: ({
            /** As in "status", "body data[0].uid", "balance of …" */
            what: string
            expected: unknown
            /** Not set if there was no value */
            actual?: unknown | undefined
            ok: boolean
            place: {
              file: string
              line: number
              column: number
            }
          })[]
          captured: Record<string, unknown>
          /** Why the step could not be executed, or what explains its failed expectations */
          trouble: string | null
          /** Simulated time before the step */
          from: string
          /** Simulated time after the step */
          to: string
          ms: number
        })[]
        /** Steps that were not run */
        left: number
        ms: number
      }
    }
  }
  /** Run the next step of the current scenario, or the first step of the given one */
  'scenarios.step': {
    input: {
      name?: string | undefined
      text?: string | undefined
      /** The row of its table, from 0. Default: the first */
      example?: number | undefined
      /** Default: scratch */
      into?: 'scratch' | 'present' | undefined
    }
    output: {
      /** null when the text was given */
      name: string | null
      title: string
      example: number
      into: 'scratch' | 'present'
      state: 'running' | 'paused' | 'passed' | 'failed'
      /** The next step, from 0 */
      at: number
      steps: ({
        kind: 'given' | 'request' | 'inject' | 'advance' | 'decide' | 'operator' | 'together' | 'restart' | 'expect'
        title: string
        scenario: string
        line: number
      })[]
      /** The commit before the run, to undo it; null for a temporary world */
      began_at: number | null
      result: {
        name: string
        /** The row of its examples, as in "code: R01" */
        example: string | null
        file: string
        /** Of its name, or of its row of examples */
        line?: number | undefined
        ok: boolean
        /** Why its world could not be set up */
        trouble: string | null
        /** The mistakes of its file, which was not run */
        issues?: ({
          file: string
          line?: number | undefined
          column?: number | undefined
          message: string
        })[] | undefined
        steps: ({
          /** From 0, including the steps of its setup scenario */
          index: number
          kind: 'given' | 'request' | 'inject' | 'advance' | 'decide' | 'operator' | 'together' | 'restart' | 'expect'
          title: string
          /** The scenario that contains it */
          scenario: string
          place: {
            file: string
            line: number
            column: number
          }
          ok: boolean
          sent: {
            method: string
            /** Below the base path, or the name of a control method */
            path: string
            body: string
          } | null
          answer: {
            /** 0 if the connection was dropped */
            status: number
            body: string
          } | null
          /** Of `together`, in the order of the file */
          requests?: ({
            title: string
            ok: boolean
            sent: {
              method: string
              /** Below the base path, or the name of a control method */
              path: string
              body: string
            } | null
            answer: {
              /** 0 if the connection was dropped */
              status: number
              body: string
            } | null
            checks: ({
              /** As in "status", "body data[0].uid", "balance of …" */
              what: string
              expected: unknown
              /** Not set if there was no value */
              actual?: unknown | undefined
              ok: boolean
              place: {
                file: string
                line: number
                column: number
              }
            })[]
            captured: Record<string, unknown>
            /** Why it could not be sent */
            trouble: string | null
          })[] | undefined
          checks: ({
            /** As in "status", "body data[0].uid", "balance of …" */
            what: string
            expected: unknown
            /** Not set if there was no value */
            actual?: unknown | undefined
            ok: boolean
            place: {
              file: string
              line: number
              column: number
            }
          })[]
          captured: Record<string, unknown>
          /** Why the step could not be executed, or what explains its failed expectations */
          trouble: string | null
          /** Simulated time before the step */
          from: string
          /** Simulated time after the step */
          to: string
          ms: number
        })[]
        /** Steps that were not run */
        left: number
        ms: number
      }
    }
  }
  /** Pause a running scenario after its current step */
  'scenarios.pause': {
    input: Record<string, never>
    output: {
      paused: boolean
    }
  }
  /** Turn what was done in this world into the text of a scenario; it is not saved */
  'scenarios.record': {
    input: {
      /** What was done before this commit becomes steps without expectations */
      since?: number | undefined
      name?: string | undefined
      teaches?: string | undefined
    }
    output: {
      text: string
      steps: number
      left_out: ({
        at: string
        why: string
      })[]
    }
  }
  /** Export the current world with its log as one file, with masked personal data and without keys */
  'bundles.export': {
    input: {
      note?: string | undefined
      /** Personal values that are not masked; the default masks all of them */
      keep?: ('ssn_last_four' | 'state' | 'suffix')[] | undefined
    }
    output: {
      name: string
      text: string
      exchanges: number
      acts: number
      commits: number
      /** In how many places a text of more than 4096 characters is cut: a replay may differ there */
      cut: number
      /** What the mask leaves, as sentences; the bundle says so, too */
      left: string[]
    }
  }
  /** Replace the current world and its log by those of a bundle; a rewind undoes it */
  'bundles.import': {
    input: {
      text: string
    }
    output: {
      /** The commit before its log, for exchanges.replay */
      since: number
      seq: number
      now: string
      exchanges: number
      acts: number
      note: string | null
    }
  }
  /** The Programs with their keys, settings, Products and Synthetic Account Types */
  'programs.list': {
    input: Record<string, never>
    output: {
      programs: ProgramInFull[]
    }
  }
  /** Create another Program of the Client, with the products, account types and settings of the demo */
  'programs.create': {
    input: {
      name: string
      /** Networks that requests may come from; others are refused with 1013 */
      allowlist?: string[] | undefined
      /** The Customer Types that the Program may create */
      customer_types?: ('primary' | 'secondary' | 'sole_proprietor')[] | undefined
      /** Which transfers Clients may initiate */
      transaction_types?: ('ach' | 'wire' | 'instant_payment' | 'book_transfer')[] | undefined
      /** The Client is its own Customer: POST /customers is refused with 1018, and the operator creates it */
      client_is_customer?: boolean | undefined
      /** The Client verifies its Customers: each must be created with client_verified, and KYC/AML is skipped */
      accepts_client_verified?: boolean | undefined
      /** A transfer over ach, wire or instant_payment needs an active Product of the Customer with that rail; others are refused with 3006 */
      rails_need_products?: boolean | undefined
      /** Of new Custodial Accounts: 9 digits */
      routing_number?: string | undefined
      /** The Client may call POST /returns */
      returns?: boolean | undefined
      /** The Client may call POST /combined_transfers */
      combined_transfers?: boolean | undefined
      /** Payments to a VRN wait for an authorization by the Client */
      client_authorization?: boolean | undefined
      /** How long they wait */
      authorization_hours?: number | undefined
      /** How a payment is decided that the Client did not authorize in time */
      unanswered_authorization?: 'approve' | 'deny' | undefined
      /** An outgoing payment needs an available balance; if off, an outgoing ACH does not */
      pre_funding?: boolean | undefined
      /** How long transfers of a rail are queued before they are sent */
      queue_minutes?: {
        /** Transfers over ach */
        ach?: number | undefined
        /** Transfers over wire */
        wire?: number | undefined
        /** Transfers over instant_payment */
        instant_payment?: number | undefined
        /** Transfers between accounts of the same Pool */
        book?: number | undefined
      } | undefined
      /** Between locking and unlocking a VRN */
      vrn_cooldown_minutes?: number | undefined
      /** Unknown fields and parameters are refused instead of ignored with a hint */
      strict?: boolean | undefined
      /** Access tokens expire 8 hours after their creation, by this clock */
      token_clock?: 'real' | 'simulated' | undefined
      /** The form of the addresses of counterparties and transmitters of wires; the other one is refused with 1007 */
      wire_addresses?: 'unstructured' | 'structured' | 'both' | undefined
      /** Hosts besides this machine that webhooks may be sent to */
      webhook_hosts?: string[] | undefined
      /** Requests without an x-trace-id are accepted */
      trace_ids_optional?: boolean | undefined
      /** International ACH payments show their details (iat) */
      shows_iat?: boolean | undefined
      /** The amounts and the number of transfers over each rail */
      limits?: {
        /** Limits of transfers over ach */
        ach?: {
          /** Less is refused with 3013 */
          minimum_amount?: string | undefined
          /** More is refused with 3012 */
          maximum_amount?: string | null | undefined
          /** For each Customer and New York day; more is refused with 3011 */
          daily_amount?: string | null | undefined
          /** Transfers of each Customer and New York day; more are refused with 3010 */
          daily_count?: number | null | undefined
        } | undefined
        /** Limits of transfers over wire */
        wire?: {
          /** Less is refused with 3013 */
          minimum_amount?: string | undefined
          /** More is refused with 3012 */
          maximum_amount?: string | null | undefined
          /** For each Customer and New York day; more is refused with 3011 */
          daily_amount?: string | null | undefined
          /** Transfers of each Customer and New York day; more are refused with 3010 */
          daily_count?: number | null | undefined
        } | undefined
        /** Limits of transfers over instant_payment */
        instant_payment?: {
          /** Less is refused with 3013 */
          minimum_amount?: string | undefined
          /** More is refused with 3012 */
          maximum_amount?: string | null | undefined
          /** For each Customer and New York day; more is refused with 3011 */
          daily_amount?: string | null | undefined
          /** Transfers of each Customer and New York day; more are refused with 3010 */
          daily_count?: number | null | undefined
        } | undefined
      } | undefined
      /** How many Synthetic Accounts a Customer may have; null sets no limit */
      account_limits?: {
        /** Active ones at a time; more are refused with 2009 */
        general_accounts?: number | null | undefined
        /** A second active external account is refused with 2010 */
        one_external_account?: boolean | undefined
        /** Different external accounts, ever; more are refused with 2013 */
        external_accounts?: number | null | undefined
        /** A further one within this time is refused with 2014 */
        minutes_between_external_accounts?: number | null | undefined
        /** How often the same account may be opened; more is refused with 2015 */
        same_external_account?: number | null | undefined
        /** Active ones of category ach_external at a time; more are refused with 2016 */
        ach_external_accounts?: number | null | undefined
      } | undefined
      /** The complete list: with uid an existing one, without a new one; those that are not in it are removed */
      products?: ({
        /** Of an existing Product. Without it: a new one */
        uid?: string | undefined
        /** Its name */
        name?: string | undefined
        /** What Clients read about it */
        description?: string | undefined
        /** The uid of its compliance plan */
        product_compliance_plan_uid?: string | undefined
        /** The name of its compliance plan */
        compliance_plan_name?: string | undefined
        /** The Customer Types that it is for */
        customer_types?: ('primary' | 'secondary' | 'sole_proprietor' | 'sub_ledger')[] | undefined
        /** Without it, a new one allows all of them */
        rails?: ('ach' | 'wire' | 'instant_payment')[] | undefined
        /** Uids of Products in this list; for a new one, its name */
        prerequisite_product_uids?: string[] | undefined
        /** The complete list: a requirement that is not in it is removed */
        profile_requirements?: ({
          /** Of an existing requirement. Without it: a new one */
          profile_requirement_uid?: string | undefined
          /** The question */
          profile_requirement?: string | undefined
          /** The heading that it is listed under */
          category?: string | undefined
          /** Onboarding needs an answer */
          required?: boolean | undefined
          /** The form of the answer */
          requirement_type?: 'fixed_list' | 'integer_greater' | 'ordered_list' | 'number' | 'string' | undefined
          /** The answers to choose from */
          response_values?: string[] | undefined
        })[] | undefined
        /** The fields of a Customer that onboarding needs, by Customer Type */
        required_fields?: ({
          /** The Customer Type that needs them */
          customer_type: 'primary' | 'secondary' | 'sole_proprietor' | 'sub_ledger'
          /** The fields that onboarding needs */
          fields: ('first_name' | 'middle_name' | 'last_name' | 'suffix' | 'business_name' | 'city' | 'dob' | 'email' | 'phone' | 'postal_code' | 'ssn' | 'state' | 'street1' | 'street2')[]
        })[] | undefined
      })[] | undefined
      /** The complete list: with uid an existing one, without a new one; those that are not in it are removed */
      synthetic_account_types?: ({
        /** Of an existing type. Without it: a new one */
        uid?: string | undefined
        /** Its name */
        name?: string | undefined
        /** What Clients read about it */
        description?: string | undefined
        /** The category of its accounts */
        synthetic_account_category?: 'general' | 'ach_external' | 'instant_payment_external' | 'wire_external' | undefined
      })[] | undefined
    }
    output: ProgramInFull
  }
  /** Change the settings of a Program, its Products and its account types; fields that are not given stay */
  'programs.update': {
    input: {
      /** Identifier created by the service */
      uid: string
      name?: string | undefined
      /** Networks that requests may come from; others are refused with 1013 */
      allowlist?: string[] | undefined
      /** The Customer Types that the Program may create */
      customer_types?: ('primary' | 'secondary' | 'sole_proprietor')[] | undefined
      /** Which transfers Clients may initiate */
      transaction_types?: ('ach' | 'wire' | 'instant_payment' | 'book_transfer')[] | undefined
      /** The Client is its own Customer: POST /customers is refused with 1018, and the operator creates it */
      client_is_customer?: boolean | undefined
      /** The Client verifies its Customers: each must be created with client_verified, and KYC/AML is skipped */
      accepts_client_verified?: boolean | undefined
      /** A transfer over ach, wire or instant_payment needs an active Product of the Customer with that rail; others are refused with 3006 */
      rails_need_products?: boolean | undefined
      /** Of new Custodial Accounts: 9 digits */
      routing_number?: string | undefined
      /** The Client may call POST /returns */
      returns?: boolean | undefined
      /** The Client may call POST /combined_transfers */
      combined_transfers?: boolean | undefined
      /** Payments to a VRN wait for an authorization by the Client */
      client_authorization?: boolean | undefined
      /** How long they wait */
      authorization_hours?: number | undefined
      /** How a payment is decided that the Client did not authorize in time */
      unanswered_authorization?: 'approve' | 'deny' | undefined
      /** An outgoing payment needs an available balance; if off, an outgoing ACH does not */
      pre_funding?: boolean | undefined
      /** How long transfers of a rail are queued before they are sent */
      queue_minutes?: {
        /** Transfers over ach */
        ach?: number | undefined
        /** Transfers over wire */
        wire?: number | undefined
        /** Transfers over instant_payment */
        instant_payment?: number | undefined
        /** Transfers between accounts of the same Pool */
        book?: number | undefined
      } | undefined
      /** Between locking and unlocking a VRN */
      vrn_cooldown_minutes?: number | undefined
      /** Unknown fields and parameters are refused instead of ignored with a hint */
      strict?: boolean | undefined
      /** Access tokens expire 8 hours after their creation, by this clock */
      token_clock?: 'real' | 'simulated' | undefined
      /** The form of the addresses of counterparties and transmitters of wires; the other one is refused with 1007 */
      wire_addresses?: 'unstructured' | 'structured' | 'both' | undefined
      /** Hosts besides this machine that webhooks may be sent to */
      webhook_hosts?: string[] | undefined
      /** Requests without an x-trace-id are accepted */
      trace_ids_optional?: boolean | undefined
      /** International ACH payments show their details (iat) */
      shows_iat?: boolean | undefined
      /** The amounts and the number of transfers over each rail */
      limits?: {
        /** Limits of transfers over ach */
        ach?: {
          /** Less is refused with 3013 */
          minimum_amount?: string | undefined
          /** More is refused with 3012 */
          maximum_amount?: string | null | undefined
          /** For each Customer and New York day; more is refused with 3011 */
          daily_amount?: string | null | undefined
          /** Transfers of each Customer and New York day; more are refused with 3010 */
          daily_count?: number | null | undefined
        } | undefined
        /** Limits of transfers over wire */
        wire?: {
          /** Less is refused with 3013 */
          minimum_amount?: string | undefined
          /** More is refused with 3012 */
          maximum_amount?: string | null | undefined
          /** For each Customer and New York day; more is refused with 3011 */
          daily_amount?: string | null | undefined
          /** Transfers of each Customer and New York day; more are refused with 3010 */
          daily_count?: number | null | undefined
        } | undefined
        /** Limits of transfers over instant_payment */
        instant_payment?: {
          /** Less is refused with 3013 */
          minimum_amount?: string | undefined
          /** More is refused with 3012 */
          maximum_amount?: string | null | undefined
          /** For each Customer and New York day; more is refused with 3011 */
          daily_amount?: string | null | undefined
          /** Transfers of each Customer and New York day; more are refused with 3010 */
          daily_count?: number | null | undefined
        } | undefined
      } | undefined
      /** How many Synthetic Accounts a Customer may have; null sets no limit */
      account_limits?: {
        /** Active ones at a time; more are refused with 2009 */
        general_accounts?: number | null | undefined
        /** A second active external account is refused with 2010 */
        one_external_account?: boolean | undefined
        /** Different external accounts, ever; more are refused with 2013 */
        external_accounts?: number | null | undefined
        /** A further one within this time is refused with 2014 */
        minutes_between_external_accounts?: number | null | undefined
        /** How often the same account may be opened; more is refused with 2015 */
        same_external_account?: number | null | undefined
        /** Active ones of category ach_external at a time; more are refused with 2016 */
        ach_external_accounts?: number | null | undefined
      } | undefined
      /** The complete list: with uid an existing one, without a new one; those that are not in it are removed */
      products?: ({
        /** Of an existing Product. Without it: a new one */
        uid?: string | undefined
        /** Its name */
        name?: string | undefined
        /** What Clients read about it */
        description?: string | undefined
        /** The uid of its compliance plan */
        product_compliance_plan_uid?: string | undefined
        /** The name of its compliance plan */
        compliance_plan_name?: string | undefined
        /** The Customer Types that it is for */
        customer_types?: ('primary' | 'secondary' | 'sole_proprietor' | 'sub_ledger')[] | undefined
        /** Without it, a new one allows all of them */
        rails?: ('ach' | 'wire' | 'instant_payment')[] | undefined
        /** Uids of Products in this list; for a new one, its name */
        prerequisite_product_uids?: string[] | undefined
        /** The complete list: a requirement that is not in it is removed */
        profile_requirements?: ({
          /** Of an existing requirement. Without it: a new one */
          profile_requirement_uid?: string | undefined
          /** The question */
          profile_requirement?: string | undefined
          /** The heading that it is listed under */
          category?: string | undefined
          /** Onboarding needs an answer */
          required?: boolean | undefined
          /** The form of the answer */
          requirement_type?: 'fixed_list' | 'integer_greater' | 'ordered_list' | 'number' | 'string' | undefined
          /** The answers to choose from */
          response_values?: string[] | undefined
        })[] | undefined
        /** The fields of a Customer that onboarding needs, by Customer Type */
        required_fields?: ({
          /** The Customer Type that needs them */
          customer_type: 'primary' | 'secondary' | 'sole_proprietor' | 'sub_ledger'
          /** The fields that onboarding needs */
          fields: ('first_name' | 'middle_name' | 'last_name' | 'suffix' | 'business_name' | 'city' | 'dob' | 'email' | 'phone' | 'postal_code' | 'ssn' | 'state' | 'street1' | 'street2')[]
        })[] | undefined
      })[] | undefined
      /** The complete list: with uid an existing one, without a new one; those that are not in it are removed */
      synthetic_account_types?: ({
        /** Of an existing type. Without it: a new one */
        uid?: string | undefined
        /** Its name */
        name?: string | undefined
        /** What Clients read about it */
        description?: string | undefined
        /** The category of its accounts */
        synthetic_account_category?: 'general' | 'ach_external' | 'instant_payment_external' | 'wire_external' | undefined
      })[] | undefined
    }
    output: ProgramInFull
  }
  /** Give a Program a new HMAC key; access tokens stay valid until they expire */
  'programs.rotate_key': {
    input: {
      /** Identifier created by the service */
      uid: string
      hmac_key?: string | undefined
    }
    output: ProgramInFull
  }
  /** Subscribe a Client to events: its receiver gets them from now on */
  'webhooks.create': {
    input: {
      /** Default: the first Program */
      program_uid?: string | undefined
      /** null: events are kept, and sent nowhere */
      url: string | null
      /** Topics, as in transfers, and single events, as in transfers.created. Default: null, which is all */
      topics?: ('transfers' | 'transactions' | 'synthetic_accounts' | 'virtual_reference_number' | 'customers' | 'transfers.created' | 'transfers.status_change' | 'transfers.rtp_settlement' | 'transactions.created' | 'transactions.status_change' | 'synthetic_accounts.created' | 'synthetic_accounts.status_change' | 'synthetic_accounts.name_updated' | 'virtual_reference_number.created' | 'virtual_reference_number.registration_status_change' | 'customers.status_change' | 'customers.lock' | 'customers.unlock')[] | null | undefined
      /** Its UTF-8 bytes sign deliveries. Default: a random key */
      hmac_key?: string | undefined
      /** details: {event_type, event_id, details}. data, the old form: the same in {data: …}. Default: details */
      envelope?: 'details' | 'data' | undefined
      /** Where the event_id is. The header is X-Event-Id. Default: body */
      event_id_in?: 'body' | 'header' | 'both' | undefined
      /** The simulated time before each further attempt. Default: 9 that double, from 30 on */
      retry_seconds?: number[] | undefined
      /** The details are encrypted for the owner of this key. Default: null, which leaves them readable */
      pgp_public_key?: string | null | undefined
      /** What goes wrong with its deliveries on purpose. Default: nothing */
      failures?: ({
        /** hold: kept until events.release. drop: lost, and not sent again. duplicate: sent twice, with the same event_id. delay: sent later. reorder: sent after the next event of the webhook. corrupt_signature: the signature of its first attempt is wrong */
        kind: 'hold' | 'drop' | 'duplicate' | 'delay' | 'reorder' | 'corrupt_signature'
        /** The simulated time of a delay, and the longest one for which a reordered event waits. Default: 60 and 3600 */
        seconds?: number | undefined
        /** Topics and single events that it applies to. Default: all */
        topics?: ('transfers' | 'transactions' | 'synthetic_accounts' | 'virtual_reference_number' | 'customers' | 'transfers.created' | 'transfers.status_change' | 'transfers.rtp_settlement' | 'transactions.created' | 'transactions.status_change' | 'synthetic_accounts.created' | 'synthetic_accounts.status_change' | 'synthetic_accounts.name_updated' | 'virtual_reference_number.created' | 'virtual_reference_number.registration_status_change' | 'customers.status_change' | 'customers.lock' | 'customers.unlock')[] | undefined
        /** How many more deliveries it applies to; then it is removed. Default: no limit */
        times?: number | undefined
        /** Share of the deliveries that it applies to; the seed decides which. Default: 1 */
        rate?: number | undefined
      })[] | undefined
      /** Whether the receiver must first accept a test event, with a status of 200 to 299. Default: true */
      confirm?: boolean | undefined
    }
    output: {
      /** Identifier created by the service */
      uid: string
      /** Identifier created by the service */
      program_uid: string
      created_at: string
      /** unconfirmed: its receiver has not accepted the test event yet. paused: nothing is sent */
      status: 'unconfirmed' | 'active' | 'paused'
      /** null: events are kept, and sent nowhere */
      url: string | null
      /** Topics, as in transfers, and single events, as in transfers.created. Default: null, which is all */
      topics: ('transfers' | 'transactions' | 'synthetic_accounts' | 'virtual_reference_number' | 'customers' | 'transfers.created' | 'transfers.status_change' | 'transfers.rtp_settlement' | 'transactions.created' | 'transactions.status_change' | 'synthetic_accounts.created' | 'synthetic_accounts.status_change' | 'synthetic_accounts.name_updated' | 'virtual_reference_number.created' | 'virtual_reference_number.registration_status_change' | 'customers.status_change' | 'customers.lock' | 'customers.unlock')[] | null
      /** Its UTF-8 bytes sign deliveries. Default: a random key */
      hmac_key: string
      /** details: {event_type, event_id, details}. data, the old form: the same in {data: …}. Default: details */
      envelope: 'details' | 'data'
      /** Where the event_id is. The header is X-Event-Id. Default: body */
      event_id_in: 'body' | 'header' | 'both'
      /** The simulated time before each further attempt. Default: 9 that double, from 30 on */
      retry_seconds: number[]
      /** The details are encrypted for the owner of this key. Default: null, which leaves them readable */
      pgp_public_key: string | null
      /** What goes wrong with its deliveries on purpose. Default: nothing */
      failures: ({
        /** hold: kept until events.release. drop: lost, and not sent again. duplicate: sent twice, with the same event_id. delay: sent later. reorder: sent after the next event of the webhook. corrupt_signature: the signature of its first attempt is wrong */
        kind: 'hold' | 'drop' | 'duplicate' | 'delay' | 'reorder' | 'corrupt_signature'
        /** The simulated time of a delay, and the longest one for which a reordered event waits. Default: 60 and 3600 */
        seconds?: number | undefined
        /** Topics and single events that it applies to. Default: all */
        topics?: ('transfers' | 'transactions' | 'synthetic_accounts' | 'virtual_reference_number' | 'customers' | 'transfers.created' | 'transfers.status_change' | 'transfers.rtp_settlement' | 'transactions.created' | 'transactions.status_change' | 'synthetic_accounts.created' | 'synthetic_accounts.status_change' | 'synthetic_accounts.name_updated' | 'virtual_reference_number.created' | 'virtual_reference_number.registration_status_change' | 'customers.status_change' | 'customers.lock' | 'customers.unlock')[] | undefined
        /** How many more deliveries it applies to; then it is removed. Default: no limit */
        times?: number | undefined
        /** Share of the deliveries that it applies to; the seed decides which. Default: 1 */
        rate?: number | undefined
      })[]
      /** The delivery that is sent after the next event */
      reordered_delivery_uid: string | null
    }
  }
  /** The webhooks of all Programs, or of one */
  'webhooks.list': {
    input: {
      /** Identifier created by the service */
      program_uid?: string | undefined
    }
    output: {
      webhooks: ({
        /** Identifier created by the service */
        uid: string
        /** Identifier created by the service */
        program_uid: string
        created_at: string
        /** unconfirmed: its receiver has not accepted the test event yet. paused: nothing is sent */
        status: 'unconfirmed' | 'active' | 'paused'
        /** null: events are kept, and sent nowhere */
        url: string | null
        /** Topics, as in transfers, and single events, as in transfers.created. Default: null, which is all */
        topics: ('transfers' | 'transactions' | 'synthetic_accounts' | 'virtual_reference_number' | 'customers' | 'transfers.created' | 'transfers.status_change' | 'transfers.rtp_settlement' | 'transactions.created' | 'transactions.status_change' | 'synthetic_accounts.created' | 'synthetic_accounts.status_change' | 'synthetic_accounts.name_updated' | 'virtual_reference_number.created' | 'virtual_reference_number.registration_status_change' | 'customers.status_change' | 'customers.lock' | 'customers.unlock')[] | null
        /** Its UTF-8 bytes sign deliveries. Default: a random key */
        hmac_key: string
        /** details: {event_type, event_id, details}. data, the old form: the same in {data: …}. Default: details */
        envelope: 'details' | 'data'
        /** Where the event_id is. The header is X-Event-Id. Default: body */
        event_id_in: 'body' | 'header' | 'both'
        /** The simulated time before each further attempt. Default: 9 that double, from 30 on */
        retry_seconds: number[]
        /** The details are encrypted for the owner of this key. Default: null, which leaves them readable */
        pgp_public_key: string | null
        /** What goes wrong with its deliveries on purpose. Default: nothing */
        failures: ({
          /** hold: kept until events.release. drop: lost, and not sent again. duplicate: sent twice, with the same event_id. delay: sent later. reorder: sent after the next event of the webhook. corrupt_signature: the signature of its first attempt is wrong */
          kind: 'hold' | 'drop' | 'duplicate' | 'delay' | 'reorder' | 'corrupt_signature'
          /** The simulated time of a delay, and the longest one for which a reordered event waits. Default: 60 and 3600 */
          seconds?: number | undefined
          /** Topics and single events that it applies to. Default: all */
          topics?: ('transfers' | 'transactions' | 'synthetic_accounts' | 'virtual_reference_number' | 'customers' | 'transfers.created' | 'transfers.status_change' | 'transfers.rtp_settlement' | 'transactions.created' | 'transactions.status_change' | 'synthetic_accounts.created' | 'synthetic_accounts.status_change' | 'synthetic_accounts.name_updated' | 'virtual_reference_number.created' | 'virtual_reference_number.registration_status_change' | 'customers.status_change' | 'customers.lock' | 'customers.unlock')[] | undefined
          /** How many more deliveries it applies to; then it is removed. Default: no limit */
          times?: number | undefined
          /** Share of the deliveries that it applies to; the seed decides which. Default: 1 */
          rate?: number | undefined
        })[]
        /** The delivery that is sent after the next event */
        reordered_delivery_uid: string | null
      })[]
    }
  }
  /** Change a webhook, pause it or make it active; what is not given stays */
  'webhooks.update': {
    input: {
      /** null: events are kept, and sent nowhere */
      url?: string | null | undefined
      /** Topics, as in transfers, and single events, as in transfers.created. Default: null, which is all */
      topics?: ('transfers' | 'transactions' | 'synthetic_accounts' | 'virtual_reference_number' | 'customers' | 'transfers.created' | 'transfers.status_change' | 'transfers.rtp_settlement' | 'transactions.created' | 'transactions.status_change' | 'synthetic_accounts.created' | 'synthetic_accounts.status_change' | 'synthetic_accounts.name_updated' | 'virtual_reference_number.created' | 'virtual_reference_number.registration_status_change' | 'customers.status_change' | 'customers.lock' | 'customers.unlock')[] | null | undefined
      /** Its UTF-8 bytes sign deliveries. Default: a random key */
      hmac_key?: string | undefined
      /** details: {event_type, event_id, details}. data, the old form: the same in {data: …}. Default: details */
      envelope?: 'details' | 'data' | undefined
      /** Where the event_id is. The header is X-Event-Id. Default: body */
      event_id_in?: 'body' | 'header' | 'both' | undefined
      /** The simulated time before each further attempt. Default: 9 that double, from 30 on */
      retry_seconds?: number[] | undefined
      /** The details are encrypted for the owner of this key. Default: null, which leaves them readable */
      pgp_public_key?: string | null | undefined
      /** What goes wrong with its deliveries on purpose. Default: nothing */
      failures?: ({
        /** hold: kept until events.release. drop: lost, and not sent again. duplicate: sent twice, with the same event_id. delay: sent later. reorder: sent after the next event of the webhook. corrupt_signature: the signature of its first attempt is wrong */
        kind: 'hold' | 'drop' | 'duplicate' | 'delay' | 'reorder' | 'corrupt_signature'
        /** The simulated time of a delay, and the longest one for which a reordered event waits. Default: 60 and 3600 */
        seconds?: number | undefined
        /** Topics and single events that it applies to. Default: all */
        topics?: ('transfers' | 'transactions' | 'synthetic_accounts' | 'virtual_reference_number' | 'customers' | 'transfers.created' | 'transfers.status_change' | 'transfers.rtp_settlement' | 'transactions.created' | 'transactions.status_change' | 'synthetic_accounts.created' | 'synthetic_accounts.status_change' | 'synthetic_accounts.name_updated' | 'virtual_reference_number.created' | 'virtual_reference_number.registration_status_change' | 'customers.status_change' | 'customers.lock' | 'customers.unlock')[] | undefined
        /** How many more deliveries it applies to; then it is removed. Default: no limit */
        times?: number | undefined
        /** Share of the deliveries that it applies to; the seed decides which. Default: 1 */
        rate?: number | undefined
      })[] | undefined
      status?: 'active' | 'paused' | undefined
      /** Identifier created by the service */
      uid: string
    }
    output: {
      /** Identifier created by the service */
      uid: string
      /** Identifier created by the service */
      program_uid: string
      created_at: string
      /** unconfirmed: its receiver has not accepted the test event yet. paused: nothing is sent */
      status: 'unconfirmed' | 'active' | 'paused'
      /** null: events are kept, and sent nowhere */
      url: string | null
      /** Topics, as in transfers, and single events, as in transfers.created. Default: null, which is all */
      topics: ('transfers' | 'transactions' | 'synthetic_accounts' | 'virtual_reference_number' | 'customers' | 'transfers.created' | 'transfers.status_change' | 'transfers.rtp_settlement' | 'transactions.created' | 'transactions.status_change' | 'synthetic_accounts.created' | 'synthetic_accounts.status_change' | 'synthetic_accounts.name_updated' | 'virtual_reference_number.created' | 'virtual_reference_number.registration_status_change' | 'customers.status_change' | 'customers.lock' | 'customers.unlock')[] | null
      /** Its UTF-8 bytes sign deliveries. Default: a random key */
      hmac_key: string
      /** details: {event_type, event_id, details}. data, the old form: the same in {data: …}. Default: details */
      envelope: 'details' | 'data'
      /** Where the event_id is. The header is X-Event-Id. Default: body */
      event_id_in: 'body' | 'header' | 'both'
      /** The simulated time before each further attempt. Default: 9 that double, from 30 on */
      retry_seconds: number[]
      /** The details are encrypted for the owner of this key. Default: null, which leaves them readable */
      pgp_public_key: string | null
      /** What goes wrong with its deliveries on purpose. Default: nothing */
      failures: ({
        /** hold: kept until events.release. drop: lost, and not sent again. duplicate: sent twice, with the same event_id. delay: sent later. reorder: sent after the next event of the webhook. corrupt_signature: the signature of its first attempt is wrong */
        kind: 'hold' | 'drop' | 'duplicate' | 'delay' | 'reorder' | 'corrupt_signature'
        /** The simulated time of a delay, and the longest one for which a reordered event waits. Default: 60 and 3600 */
        seconds?: number | undefined
        /** Topics and single events that it applies to. Default: all */
        topics?: ('transfers' | 'transactions' | 'synthetic_accounts' | 'virtual_reference_number' | 'customers' | 'transfers.created' | 'transfers.status_change' | 'transfers.rtp_settlement' | 'transactions.created' | 'transactions.status_change' | 'synthetic_accounts.created' | 'synthetic_accounts.status_change' | 'synthetic_accounts.name_updated' | 'virtual_reference_number.created' | 'virtual_reference_number.registration_status_change' | 'customers.status_change' | 'customers.lock' | 'customers.unlock')[] | undefined
        /** How many more deliveries it applies to; then it is removed. Default: no limit */
        times?: number | undefined
        /** Share of the deliveries that it applies to; the seed decides which. Default: 1 */
        rate?: number | undefined
      })[]
      /** The delivery that is sent after the next event */
      reordered_delivery_uid: string | null
    }
  }
  /** Delete a webhook: what is on its way to it fails, and its events stay */
  'webhooks.delete': {
    input: {
      /** Identifier created by the service */
      uid: string
    }
    output: {
      /** Identifier created by the service */
      deleted: string
    }
  }
  /** Send a test event to a webhook; one that is unconfirmed is active when its receiver accepts it */
  'webhooks.test': {
    input: {
      /** Identifier created by the service */
      uid: string
    }
    output: {
      /** The event_id */
      uid: string
      /** Identifier created by the service */
      program_uid: string
      created_at: string
      topic: string
      event_type: string
      /** Of the record that it tells of; null for a test event */
      collection: string | null
      record_uid: string | null
      details: Record<string, unknown>
      deliveries: ({
        /** Identifier created by the service */
        uid: string
        /** Identifier created by the service */
        program_uid: string
        /** Identifier created by the service */
        event_uid: string
        /** Identifier created by the service */
        webhook_uid: string
        /** due: it is being sent. waiting: for its next attempt. failed: no attempt is left. dropped: it was never sent */
        status: 'due' | 'waiting' | 'delivered' | 'failed' | 'held' | 'dropped'
        /** What goes wrong with it on purpose */
        failure: 'hold' | 'drop' | 'duplicate' | 'delay' | 'reorder' | 'corrupt_signature' | null
        /** The reordered delivery that is sent after this one */
        precedes_uid: string | null
        next_attempt_at: string | null
        attempts: ({
          at: string
          /** Of the answer; null if there was none */
          status: number | null
          /** Why there was no answer */
          error: string | null
          /** The first 1000 characters of its body */
          answer: string | null
          /** How long it took, in real time */
          ms: number
          /** What {url}/{topic}/health answered after the last attempt failed */
          health?: {
            status: number | null
            error: string | null
          } | undefined
          /** Its signature was wrong on purpose */
          signature_corrupted?: boolean | undefined
          /** It was sent before, with this outcome, and not again: a rewind has undone it, or it could not be saved */
          sent_before?: boolean | undefined
        })[]
      })[]
    }
  }
  /** Record the outcomes of attempts to deliver events; those that are not due any more are left out. The sandbox calls it itself; a replay repeats it */
  'webhooks.record_attempts': {
    input: {
      outcomes: ({
        /** Of the answer; null if there was none */
        status: number | null
        /** Why there was no answer */
        error: string | null
        /** The first 1000 characters of its body */
        answer: string | null
        /** How long it took, in real time */
        ms: number
        /** What {url}/{topic}/health answered after the last attempt failed */
        health?: {
          status: number | null
          error: string | null
        } | undefined
        /** Its signature was wrong on purpose */
        signature_corrupted?: boolean | undefined
        /** It was sent before, with this outcome, and not again: a rewind has undone it, or it could not be saved */
        sent_before?: boolean | undefined
        /** Identifier created by the service */
        delivery_uid: string
        /** Which attempt of the delivery it was, from 1 */
        attempt: number
      })[]
    }
    output: {
      recorded: number
    }
  }
  /** The events of a Program that its webhooks are told of, newest first, with their deliveries */
  'events.list': {
    input: {
      /** Default: the first Program */
      program_uid?: string | undefined
      topic?: string | undefined
      event_type?: string | undefined
      /** Only events that tell of this record */
      record_uid?: string | undefined
      /** Default: 100 */
      limit?: number | undefined
      offset?: number | undefined
    }
    output: {
      data: ({
        /** The event_id */
        uid: string
        /** Identifier created by the service */
        program_uid: string
        created_at: string
        topic: string
        event_type: string
        /** Of the record that it tells of; null for a test event */
        collection: string | null
        record_uid: string | null
        details: Record<string, unknown>
        deliveries: ({
          /** Identifier created by the service */
          uid: string
          /** Identifier created by the service */
          program_uid: string
          /** Identifier created by the service */
          event_uid: string
          /** Identifier created by the service */
          webhook_uid: string
          /** due: it is being sent. waiting: for its next attempt. failed: no attempt is left. dropped: it was never sent */
          status: 'due' | 'waiting' | 'delivered' | 'failed' | 'held' | 'dropped'
          /** What goes wrong with it on purpose */
          failure: 'hold' | 'drop' | 'duplicate' | 'delay' | 'reorder' | 'corrupt_signature' | null
          /** The reordered delivery that is sent after this one */
          precedes_uid: string | null
          next_attempt_at: string | null
          attempts: ({
            at: string
            /** Of the answer; null if there was none */
            status: number | null
            /** Why there was no answer */
            error: string | null
            /** The first 1000 characters of its body */
            answer: string | null
            /** How long it took, in real time */
            ms: number
            /** What {url}/{topic}/health answered after the last attempt failed */
            health?: {
              status: number | null
              error: string | null
            } | undefined
            /** Its signature was wrong on purpose */
            signature_corrupted?: boolean | undefined
            /** It was sent before, with this outcome, and not again: a rewind has undone it, or it could not be saved */
            sent_before?: boolean | undefined
          })[]
        })[]
      })[]
      total_count: number
    }
  }
  /** An event with its deliveries and their attempts */
  'events.get': {
    input: {
      /** Identifier created by the service */
      uid: string
    }
    output: {
      /** The event_id */
      uid: string
      /** Identifier created by the service */
      program_uid: string
      created_at: string
      topic: string
      event_type: string
      /** Of the record that it tells of; null for a test event */
      collection: string | null
      record_uid: string | null
      details: Record<string, unknown>
      deliveries: ({
        /** Identifier created by the service */
        uid: string
        /** Identifier created by the service */
        program_uid: string
        /** Identifier created by the service */
        event_uid: string
        /** Identifier created by the service */
        webhook_uid: string
        /** due: it is being sent. waiting: for its next attempt. failed: no attempt is left. dropped: it was never sent */
        status: 'due' | 'waiting' | 'delivered' | 'failed' | 'held' | 'dropped'
        /** What goes wrong with it on purpose */
        failure: 'hold' | 'drop' | 'duplicate' | 'delay' | 'reorder' | 'corrupt_signature' | null
        /** The reordered delivery that is sent after this one */
        precedes_uid: string | null
        next_attempt_at: string | null
        attempts: ({
          at: string
          /** Of the answer; null if there was none */
          status: number | null
          /** Why there was no answer */
          error: string | null
          /** The first 1000 characters of its body */
          answer: string | null
          /** How long it took, in real time */
          ms: number
          /** What {url}/{topic}/health answered after the last attempt failed */
          health?: {
            status: number | null
            error: string | null
          } | undefined
          /** Its signature was wrong on purpose */
          signature_corrupted?: boolean | undefined
          /** It was sent before, with this outcome, and not again: a rewind has undone it, or it could not be saved */
          sent_before?: boolean | undefined
        })[]
      })[]
    }
  }
  /** Send an event once more, with the same event_id */
  'events.resend': {
    input: {
      /** Identifier created by the service */
      uid: string
      /** Default: all webhooks that it was for */
      webhook_uid?: string | undefined
      /** What goes wrong with it on purpose. Default: nothing */
      failure?: {
        /** hold: kept until events.release. drop: lost, and not sent again. duplicate: sent twice, with the same event_id. delay: sent later. reorder: sent after the next event of the webhook. corrupt_signature: the signature of its first attempt is wrong */
        kind: 'hold' | 'drop' | 'duplicate' | 'delay' | 'reorder' | 'corrupt_signature'
        /** The simulated time of a delay, and the longest one for which a reordered event waits. Default: 60 and 3600 */
        seconds?: number | undefined
      } | undefined
    }
    output: {
      /** The event_id */
      uid: string
      /** Identifier created by the service */
      program_uid: string
      created_at: string
      topic: string
      event_type: string
      /** Of the record that it tells of; null for a test event */
      collection: string | null
      record_uid: string | null
      details: Record<string, unknown>
      deliveries: ({
        /** Identifier created by the service */
        uid: string
        /** Identifier created by the service */
        program_uid: string
        /** Identifier created by the service */
        event_uid: string
        /** Identifier created by the service */
        webhook_uid: string
        /** due: it is being sent. waiting: for its next attempt. failed: no attempt is left. dropped: it was never sent */
        status: 'due' | 'waiting' | 'delivered' | 'failed' | 'held' | 'dropped'
        /** What goes wrong with it on purpose */
        failure: 'hold' | 'drop' | 'duplicate' | 'delay' | 'reorder' | 'corrupt_signature' | null
        /** The reordered delivery that is sent after this one */
        precedes_uid: string | null
        next_attempt_at: string | null
        attempts: ({
          at: string
          /** Of the answer; null if there was none */
          status: number | null
          /** Why there was no answer */
          error: string | null
          /** The first 1000 characters of its body */
          answer: string | null
          /** How long it took, in real time */
          ms: number
          /** What {url}/{topic}/health answered after the last attempt failed */
          health?: {
            status: number | null
            error: string | null
          } | undefined
          /** Its signature was wrong on purpose */
          signature_corrupted?: boolean | undefined
          /** It was sent before, with this outcome, and not again: a rewind has undone it, or it could not be saved */
          sent_before?: boolean | undefined
        })[]
      })[]
    }
  }
  /** Hold the deliveries of an event that are not finished: they are not sent until events.release */
  'events.hold': {
    input: {
      /** Identifier created by the service */
      uid: string
    }
    output: {
      /** The event_id */
      uid: string
      /** Identifier created by the service */
      program_uid: string
      created_at: string
      topic: string
      event_type: string
      /** Of the record that it tells of; null for a test event */
      collection: string | null
      record_uid: string | null
      details: Record<string, unknown>
      deliveries: ({
        /** Identifier created by the service */
        uid: string
        /** Identifier created by the service */
        program_uid: string
        /** Identifier created by the service */
        event_uid: string
        /** Identifier created by the service */
        webhook_uid: string
        /** due: it is being sent. waiting: for its next attempt. failed: no attempt is left. dropped: it was never sent */
        status: 'due' | 'waiting' | 'delivered' | 'failed' | 'held' | 'dropped'
        /** What goes wrong with it on purpose */
        failure: 'hold' | 'drop' | 'duplicate' | 'delay' | 'reorder' | 'corrupt_signature' | null
        /** The reordered delivery that is sent after this one */
        precedes_uid: string | null
        next_attempt_at: string | null
        attempts: ({
          at: string
          /** Of the answer; null if there was none */
          status: number | null
          /** Why there was no answer */
          error: string | null
          /** The first 1000 characters of its body */
          answer: string | null
          /** How long it took, in real time */
          ms: number
          /** What {url}/{topic}/health answered after the last attempt failed */
          health?: {
            status: number | null
            error: string | null
          } | undefined
          /** Its signature was wrong on purpose */
          signature_corrupted?: boolean | undefined
          /** It was sent before, with this outcome, and not again: a rewind has undone it, or it could not be saved */
          sent_before?: boolean | undefined
        })[]
      })[]
    }
  }
  /** Send the held deliveries of an event */
  'events.release': {
    input: {
      /** Identifier created by the service */
      uid: string
      /** What goes wrong with them on purpose. Default: nothing */
      failure?: {
        /** hold: kept until events.release. drop: lost, and not sent again. duplicate: sent twice, with the same event_id. delay: sent later. reorder: sent after the next event of the webhook. corrupt_signature: the signature of its first attempt is wrong */
        kind: 'hold' | 'drop' | 'duplicate' | 'delay' | 'reorder' | 'corrupt_signature'
        /** The simulated time of a delay, and the longest one for which a reordered event waits. Default: 60 and 3600 */
        seconds?: number | undefined
      } | undefined
    }
    output: {
      /** The event_id */
      uid: string
      /** Identifier created by the service */
      program_uid: string
      created_at: string
      topic: string
      event_type: string
      /** Of the record that it tells of; null for a test event */
      collection: string | null
      record_uid: string | null
      details: Record<string, unknown>
      deliveries: ({
        /** Identifier created by the service */
        uid: string
        /** Identifier created by the service */
        program_uid: string
        /** Identifier created by the service */
        event_uid: string
        /** Identifier created by the service */
        webhook_uid: string
        /** due: it is being sent. waiting: for its next attempt. failed: no attempt is left. dropped: it was never sent */
        status: 'due' | 'waiting' | 'delivered' | 'failed' | 'held' | 'dropped'
        /** What goes wrong with it on purpose */
        failure: 'hold' | 'drop' | 'duplicate' | 'delay' | 'reorder' | 'corrupt_signature' | null
        /** The reordered delivery that is sent after this one */
        precedes_uid: string | null
        next_attempt_at: string | null
        attempts: ({
          at: string
          /** Of the answer; null if there was none */
          status: number | null
          /** Why there was no answer */
          error: string | null
          /** The first 1000 characters of its body */
          answer: string | null
          /** How long it took, in real time */
          ms: number
          /** What {url}/{topic}/health answered after the last attempt failed */
          health?: {
            status: number | null
            error: string | null
          } | undefined
          /** Its signature was wrong on purpose */
          signature_corrupted?: boolean | undefined
          /** It was sent before, with this outcome, and not again: a rewind has undone it, or it could not be saved */
          sent_before?: boolean | undefined
        })[]
      })[]
    }
  }
  /** Expire the access tokens of a Program now; new ones can be requested at once */
  'tokens.expire': {
    input: {
      /** Of a Program */
      uid: string
    }
    output: {
      /** Identifier created by the service */
      uid: string
    }
  }
  /** Save the world as a snapshot; replaces a snapshot of the same name */
  'snapshots.keep': {
    input: {
      name: string
    }
    output: {
      name: string
      /** Simulated time */
      at?: string | undefined
      seq?: number | undefined
      records?: number | undefined
      /** Why its file cannot be read; the other fields are absent then */
      trouble?: string | undefined
    }
  }
  /** The snapshots */
  'snapshots.list': {
    input: Record<string, never>
    output: {
      snapshots: ({
        name: string
        /** Simulated time */
        at?: string | undefined
        seq?: number | undefined
        records?: number | undefined
        /** Why its file cannot be read; the other fields are absent then */
        trouble?: string | undefined
      })[]
    }
  }
  /** Replace the world by a snapshot, as a commit that can be undone */
  'snapshots.restore': {
    input: {
      name: string
    }
    output: {
      /** The new commit; to undo it, rewind to the commit before it */
      seq: number
      now: string
      /** Number of changed records */
      changed: number
    }
  }
  /** Delete a snapshot */
  'snapshots.delete': {
    input: {
      name: string
    }
    output: {
      deleted: boolean
    }
  }
  /** Compare two snapshots by record and field; without a name: the current world */
  'snapshots.compare': {
    input: {
      a?: string | undefined
      b?: string | undefined
    }
    output: {
      /** At most 1,000 */
      differences: ({
        collection: string
        /** Identifier created by the service */
        uid: string
        what: 'only in a' | 'only in b' | 'differs'
        fields: ({
          field: string
          a: unknown
          b: unknown
        })[]
      })[]
      total_count: number
    }
  }
  /** The stored commits, newest first; you can rewind to each of them */
  'world.commits': {
    input: {
      /** Default 100 */
      limit?: number | undefined
      /** Only commits before this one */
      before?: number | undefined
    }
    output: {
      commits: ({
        seq: number
        /** Simulated time */
        at: string
        cause: {
          door: 'request' | 'time' | 'operator'
          name: string
          exchange?: string | undefined
          /** For an advance: the time before it */
          from?: string | undefined
          /** For moves.make: the decision */
          decision?: string | undefined
        }
        /** Number of changed records by collection */
        records: Record<string, unknown>
        /** At most three of the changed records, as they were after the commit */
        about: ({
          collection: string
          /** Identifier created by the service */
          uid: string
          says: string
        })[]
        /** The operator advanced the clock */
        moved: {
          from: string
          to: string
        } | null
        /** For a rewind, a restore and a reset: the commit that the world continues from; 0 for a fresh world */
        goes_on_from: number | null
        /** The commit of the rewind, restore, reset or import that left it; to redo it, rewind to the commit before that */
        left_by: number | null
        /** A later rewind went back before this commit: it is still stored, but not on the current branch */
        left: boolean
      })[]
      /** There are older commits */
      more: boolean
    }
  }
  /** Start over with a fresh world; seed, start and clock stay unless given; can be undone */
  'world.reset': {
    input: {
      world: 'demo' | 'empty'
      seed?: string | undefined
      start?: string | undefined
      mode?: 'running' | 'frozen' | undefined
      pace?: 'fast' | 'real' | undefined
    }
    output: {
      /** The new commit; to undo it, rewind to the commit before it */
      seq: number
      now: string
      /** Number of changed records */
      changed: number
    }
  }
  /** Rewind the world to an earlier commit, as a commit that can be undone */
  'world.rewind': {
    input: {
      seq: number
    }
    output: {
      /** The new commit; to undo it, rewind to the commit before it */
      seq: number
      now: string
      /** Number of changed records */
      changed: number
    }
  }
  /** Cancel a long operation such as a rewind or a replay; for an advance use clock.cancel */
  'work.cancel': {
    input: {
      /** As in its notice. Default: all of them */
      uid?: string | undefined
    }
    output: {
      /** false: nothing was running */
      canceled: boolean
    }
  }
  /** Set the faults to inject into requests; replaces the faults set before */
  'faults.set': {
    input: {
      faults: ({
        /** Without it: any method */
        method?: 'GET' | 'POST' | 'PUT' | 'DELETE' | undefined
        /** As in the specification; `*` matches the rest. Without it: any path */
        path?: string | undefined
        /** What happens to the request */
        kind: 'latency' | 'status' | 'drop_before_commit' | 'drop_after_commit' | 'rate_limit' | 'slow_body'
        /** Ends after this many requests. Without it: never */
        times?: number | undefined
        /** Ends at this simulated time */
        until?: string | undefined
        /** Share of the matching requests; the seed decides which. Default 1 */
        rate?: number | undefined
        /** The latency, or the pauses of a slow body. Default 1000 */
        ms?: number | undefined
        /** Adds a random latency of at most this much */
        jitter_ms?: number | undefined
        /** For kind status. Default: that of the code, or 500 */
        status?: number | undefined
        /** For kind status: an error of the platform, with its status, title and detail */
        code?: number | undefined
        /** For kind status: replaces the error body */
        body?: unknown | undefined
        /** For kind rate_limit: requests that pass per minute. Default 60 */
        per_minute?: number | undefined
      })[]
    }
    output: {
      faults: ({
        /** Without it: any method */
        method?: 'GET' | 'POST' | 'PUT' | 'DELETE' | undefined
        /** As in the specification; `*` matches the rest. Without it: any path */
        path?: string | undefined
        /** What happens to the request */
        kind: 'latency' | 'status' | 'drop_before_commit' | 'drop_after_commit' | 'rate_limit' | 'slow_body'
        /** Ends after this many requests. Without it: never */
        times?: number | undefined
        /** Ends at this simulated time */
        until?: string | undefined
        /** Share of the matching requests; the seed decides which. Default 1 */
        rate?: number | undefined
        /** The latency, or the pauses of a slow body. Default 1000 */
        ms?: number | undefined
        /** Adds a random latency of at most this much */
        jitter_ms?: number | undefined
        /** For kind status. Default: that of the code, or 500 */
        status?: number | undefined
        /** For kind status: an error of the platform, with its status, title and detail */
        code?: number | undefined
        /** For kind status: replaces the error body */
        body?: unknown | undefined
        /** For kind rate_limit: requests that pass per minute. Default 60 */
        per_minute?: number | undefined
        /** Requests it was applied to so far */
        met: number
      })[]
    }
  }
  /** The faults that are set */
  'faults.list': {
    input: Record<string, never>
    output: {
      faults: ({
        /** Without it: any method */
        method?: 'GET' | 'POST' | 'PUT' | 'DELETE' | undefined
        /** As in the specification; `*` matches the rest. Without it: any path */
        path?: string | undefined
        /** What happens to the request */
        kind: 'latency' | 'status' | 'drop_before_commit' | 'drop_after_commit' | 'rate_limit' | 'slow_body'
        /** Ends after this many requests. Without it: never */
        times?: number | undefined
        /** Ends at this simulated time */
        until?: string | undefined
        /** Share of the matching requests; the seed decides which. Default 1 */
        rate?: number | undefined
        /** The latency, or the pauses of a slow body. Default 1000 */
        ms?: number | undefined
        /** Adds a random latency of at most this much */
        jitter_ms?: number | undefined
        /** For kind status. Default: that of the code, or 500 */
        status?: number | undefined
        /** For kind status: an error of the platform, with its status, title and detail */
        code?: number | undefined
        /** For kind status: replaces the error body */
        body?: unknown | undefined
        /** For kind rate_limit: requests that pass per minute. Default 60 */
        per_minute?: number | undefined
        /** Requests it was applied to so far */
        met: number
      })[]
    }
  }
  /** Remove all faults */
  'faults.clear': {
    input: Record<string, never>
    output: {
      faults: ({
        /** Without it: any method */
        method?: 'GET' | 'POST' | 'PUT' | 'DELETE' | undefined
        /** As in the specification; `*` matches the rest. Without it: any path */
        path?: string | undefined
        /** What happens to the request */
        kind: 'latency' | 'status' | 'drop_before_commit' | 'drop_after_commit' | 'rate_limit' | 'slow_body'
        /** Ends after this many requests. Without it: never */
        times?: number | undefined
        /** Ends at this simulated time */
        until?: string | undefined
        /** Share of the matching requests; the seed decides which. Default 1 */
        rate?: number | undefined
        /** The latency, or the pauses of a slow body. Default 1000 */
        ms?: number | undefined
        /** Adds a random latency of at most this much */
        jitter_ms?: number | undefined
        /** For kind status. Default: that of the code, or 500 */
        status?: number | undefined
        /** For kind status: an error of the platform, with its status, title and detail */
        code?: number | undefined
        /** For kind status: replaces the error body */
        body?: unknown | undefined
        /** For kind rate_limit: requests that pass per minute. Default 60 */
        per_minute?: number | undefined
        /** Requests it was applied to so far */
        met: number
      })[]
    }
  }
  /** About this sandbox: version, data folder, address of the API, seed and start */
  'world.describe': {
    input: Record<string, never>
    output: {
      /** null for the root world; the others are in worlds.list */
      name: string | null
      version: string
      api: string
      /** The data folder; null when nothing is saved */
      data: string | null
      seed: string
      start: string
      /** Number of commits so far */
      seq: number
      allow: string[]
      /** Simulated time when this process opened the world */
      opened_at: string
      /** Size of the request log; the oldest entries are removed a quarter of this at a time */
      log_length: number
    }
  }
  /** Which process answers: its runtime file has the same pid, host, start and nonce */
  'sandbox.identify': {
    input: Record<string, never>
    output: {
      pid: number
      host: string
      /** Real time */
      started_at: string
      /** Random for each sandbox */
      nonce: string
    }
  }
  /** End the sandbox with all of its worlds, as sandbank stop does; only in the root world */
  'sandbox.stop': {
    input: {
      /** Of sandbox.identify: no other sandbox that has the address now is ended */
      nonce: string
    }
    output: {
      stopping: boolean
    }
  }
  /** Create a named world next to the root world, with records, a clock, keys and logs of its own */
  'worlds.create': {
    input: {
      /** Default: world-1, world-2, … */
      name?: string | undefined
      /** Default: demo */
      from?: 'demo' | 'empty' | 'current' | {
        snapshot: string
      } | {
        commit: number
      } | {
        world: string
      } | undefined
      /** Of a fresh world. Default: now, and for a frozen clock 2026-11-23T15:00:00.000Z, a Monday */
      start?: string | undefined
      /** Of a fresh world. Default: sandbank */
      seed?: string | undefined
      /** Default: frozen for a fresh world, else as it is there */
      clock?: 'running' | 'frozen' | undefined
      /** Default: fast for a fresh world, else as it is there */
      pace?: 'fast' | 'real' | undefined
    }
    output: {
      name: string
      /** The base URL of its API */
      api: string
      /** The base URL of its control API */
      control: string
      /** The address of its window, with the control key */
      gui: string
      programs: ({
        /** Identifier created by the service */
        uid: string
        name: string
        /** Its UTF-8 bytes sign refresh tokens */
        hmac_key: string
      })[]
    }
  }
  /** The named worlds */
  'worlds.list': {
    input: Record<string, never>
    output: {
      worlds: ({
        name: string
        /** The base URL of its API */
        api: string
        /** The base URL of its control API */
        control: string
        /** The address of its window, with the control key */
        gui: string
        /** current: the root world */
        from: 'demo' | 'empty' | 'current' | {
          snapshot: string
        } | {
          commit: number
        } | {
          world: string
        }
        /** Simulated time */
        at: string
        /** Number of commits so far */
        seq: number
        records: number
        /** Simulated time when it was created */
        opened_at: string
      })[]
    }
  }
  /** Write a world into a new data folder, which sandbank serve --data opens */
  'worlds.keep': {
    input: {
      name: string
      /** An absolute path on the machine of the sandbox; new or empty */
      folder: string
    }
    output: {
      folder: string
      seq: number
      records: number
    }
  }
  /** Compare two worlds by record and field; without a name: the root world */
  'worlds.compare': {
    input: {
      a?: string | undefined
      b?: string | undefined
    }
    output: {
      /** At most 1,000 */
      differences: ({
        collection: string
        /** Identifier created by the service */
        uid: string
        what: 'only in a' | 'only in b' | 'differs'
        fields: ({
          field: string
          a: unknown
          b: unknown
        })[]
      })[]
      total_count: number
    }
  }
  /** Drop a world: its requests, jobs and streams of notices end */
  'worlds.drop': {
    input: {
      name: string
    }
    output: {
      dropped: boolean
    }
  }
}

/** The control API as functions: `control.clock.read()` calls the method `clock.read`. */
export interface Control {
  clock: {
    /** The clock: time, mode, pace and the next task */
    read(input?: ControlMethods['clock.read']['input']): Promise<ControlMethods['clock.read']['output']>
    /** Freeze the clock or let it run, choose the pace of payments, set a break condition */
    set(input?: ControlMethods['clock.set']['input']): Promise<ControlMethods['clock.set']['output']>
    /** Advance the clock; returns when every task that is due has run */
    advance(input: ControlMethods['clock.advance']['input']): Promise<ControlMethods['clock.advance']['output']>
    /** Stop a running advance after its current task */
    cancel(input?: ControlMethods['clock.cancel']['input']): Promise<ControlMethods['clock.cancel']['output']>
  }
  calendar: {
    /** The holidays of the Federal Reserve within these days */
    read(input: ControlMethods['calendar.read']['input']): Promise<ControlMethods['calendar.read']['output']>
  }
  tasks: {
    /** The scheduled tasks: when, for which record and why */
    list(input?: ControlMethods['tasks.list']['input']): Promise<ControlMethods['tasks.list']['output']>
    /** Run one task now, no matter when it is due; also a failed one. Names the earlier tasks of its record */
    run(input: ControlMethods['tasks.run']['input']): Promise<ControlMethods['tasks.run']['output']>
    /** Hold a task and the later ones of its record: they do not run when they are due */
    hold(input: ControlMethods['tasks.hold']['input']): Promise<ControlMethods['tasks.hold']['output']>
    /** Release a held task and the later ones of its record: they run when due, or at once if overdue */
    release(input: ControlMethods['tasks.release']['input']): Promise<ControlMethods['tasks.release']['output']>
  }
  records: {
    /** The records of a collection, with the filters, sorting and pages of its list in the API */
    list(input: ControlMethods['records.list']['input']): Promise<ControlMethods['records.list']['output']>
    /** The settled incoming payments of each VRN of a Program: their number and sum */
    received(input?: ControlMethods['records.received']['input']): Promise<ControlMethods['records.received']['output']>
    /** One record of a collection */
    get(input: ControlMethods['records.get']['input']): Promise<ControlMethods['records.get']['output']>
    /** Search all collections for a uid, a name, an external_uid, last four digits or an amount; best match first */
    search(input: ControlMethods['records.search']['input']): Promise<ControlMethods['records.search']['output']>
    /** The history of a record: every commit of the current branch that changed it, newest first */
    history(input: ControlMethods['records.history']['input']): Promise<ControlMethods['records.history']['output']>
    /** The records that refer to a record, those it refers to, and its scheduled tasks */
    related(input: ControlMethods['records.related']['input']): Promise<ControlMethods['records.related']['output']>
    /** The timeline of a Customer: requests, states, money and clock changes, newest first */
    story(input: ControlMethods['records.story']['input']): Promise<ControlMethods['records.story']['output']>
  }
  /** Why a record, or one of its fields, has its present value: from the value back to its causes */
  why(input: ControlMethods['why']['input']): Promise<ControlMethods['why']['output']>
  payments: {
    /** The path of a payment: its states over banking days, those that can follow, and its entries in both books */
    path(input: ControlMethods['payments.path']['input']): Promise<ControlMethods['payments.path']['output']>
  }
  world: {
    /** Requests, refusals and settled money by rail over simulated time, and the errors by code and endpoint */
    pulse(input?: ControlMethods['world.pulse']['input']): Promise<ControlMethods['world.pulse']['output']>
    /** The stored commits, newest first; you can rewind to each of them */
    commits(input?: ControlMethods['world.commits']['input']): Promise<ControlMethods['world.commits']['output']>
    /** Start over with a fresh world; seed, start and clock stay unless given; can be undone */
    reset(input: ControlMethods['world.reset']['input']): Promise<ControlMethods['world.reset']['output']>
    /** Rewind the world to an earlier commit, as a commit that can be undone */
    rewind(input: ControlMethods['world.rewind']['input']): Promise<ControlMethods['world.rewind']['output']>
    /** About this sandbox: version, data folder, address of the API, seed and start */
    describe(input?: ControlMethods['world.describe']['input']): Promise<ControlMethods['world.describe']['output']>
  }
  customers: {
    /** The flow of money of a Customer: its accounts, VRNs and counterparties, and what moved between each two of them */
    map(input: ControlMethods['customers.map']['input']): Promise<ControlMethods['customers.map']['output']>
  }
  moves: {
    /** The decisions about a record: possible ones with their inputs, the others with the reason */
    list(input: ControlMethods['moves.list']['input']): Promise<ControlMethods['moves.list']['output']>
    /** Decide about a record as a bank, a network or a compliance officer */
    make(input: ControlMethods['moves.make']['input']): Promise<ControlMethods['moves.make']['output']>
  }
  transactions: {
    /** Create a Transaction by a movement outside the application: by card, a direct deposit, interest, a fee */
    inject(input?: ControlMethods['transactions.inject']['input']): Promise<ControlMethods['transactions.inject']['output']>
  }
  operator: {
    /** Create a Customer in a Program whose Client is the Customer */
    create_customer(input: ControlMethods['operator.create_customer']['input']): Promise<ControlMethods['operator.create_customer']['output']>
  }
  ledger: {
    /** The accounts of both books with their balances, now or at an earlier instant */
    accounts(input?: ControlMethods['ledger.accounts']['input']): Promise<ControlMethods['ledger.accounts']['output']>
    /** The line items of both books, newest first */
    lines(input?: ControlMethods['ledger.lines']['input']): Promise<ControlMethods['ledger.lines']['output']>
    /** The balance of an account over simulated time, computed from its line items and payments; past and scheduled */
    balances(input: ControlMethods['ledger.balances']['input']): Promise<ControlMethods['ledger.balances']['output']>
    /** The synthetic book against the custodial book, at each close of day and now */
    reconciliation(input?: ControlMethods['ledger.reconciliation']['input']): Promise<ControlMethods['ledger.reconciliation']['output']>
    /** The sums of both books, from their line items; each total must be 0.00 */
    trial_balance(input?: ControlMethods['ledger.trial_balance']['input']): Promise<ControlMethods['ledger.trial_balance']['output']>
    /** Check both books against their line items, and one book against the other */
    check(input?: ControlMethods['ledger.check']['input']): Promise<ControlMethods['ledger.check']['output']>
  }
  exchanges: {
    /** The request log, newest first */
    list(input?: ControlMethods['exchanges.list']['input']): Promise<ControlMethods['exchanges.list']['output']>
    /** One request with its response, without secrets */
    get(input: ControlMethods['exchanges.get']['input']): Promise<ControlMethods['exchanges.get']['output']>
    /** Send a request with a token of the Program and a new trace id */
    send(input: ControlMethods['exchanges.send']['input']): Promise<ControlMethods['exchanges.send']['output']>
    /** Send recorded requests again and compare the responses */
    replay(input?: ControlMethods['exchanges.replay']['input']): Promise<ControlMethods['exchanges.replay']['output']>
  }
  recordings: {
    /** What a HAR file, curl lines or a bundle contain, and what a replay of them needs */
    describe(input: ControlMethods['recordings.describe']['input']): Promise<ControlMethods['recordings.describe']['output']>
  }
  scenarios: {
    /** The scenarios of the library, your own, and the latest run */
    list(input?: ControlMethods['scenarios.list']['input']): Promise<ControlMethods['scenarios.list']['output']>
    /** Save a scenario; replaces your scenario of the same name */
    save(input: ControlMethods['scenarios.save']['input']): Promise<ControlMethods['scenarios.save']['output']>
    /** The text of a scenario */
    read(input: ControlMethods['scenarios.read']['input']): Promise<ControlMethods['scenarios.read']['output']>
    /** Delete one of your scenarios */
    delete(input: ControlMethods['scenarios.delete']['input']): Promise<ControlMethods['scenarios.delete']['output']>
    /** Run a scenario by name or by text, or continue the current one; returns when it stops */
    run(input?: ControlMethods['scenarios.run']['input']): Promise<ControlMethods['scenarios.run']['output']>
    /** Run the next step of the current scenario, or the first step of the given one */
    step(input?: ControlMethods['scenarios.step']['input']): Promise<ControlMethods['scenarios.step']['output']>
    /** Pause a running scenario after its current step */
    pause(input?: ControlMethods['scenarios.pause']['input']): Promise<ControlMethods['scenarios.pause']['output']>
    /** Turn what was done in this world into the text of a scenario; it is not saved */
    record(input?: ControlMethods['scenarios.record']['input']): Promise<ControlMethods['scenarios.record']['output']>
  }
  bundles: {
    /** Export the current world with its log as one file, with masked personal data and without keys */
    export(input?: ControlMethods['bundles.export']['input']): Promise<ControlMethods['bundles.export']['output']>
    /** Replace the current world and its log by those of a bundle; a rewind undoes it */
    import(input: ControlMethods['bundles.import']['input']): Promise<ControlMethods['bundles.import']['output']>
  }
  programs: {
    /** The Programs with their keys, settings, Products and Synthetic Account Types */
    list(input?: ControlMethods['programs.list']['input']): Promise<ControlMethods['programs.list']['output']>
    /** Create another Program of the Client, with the products, account types and settings of the demo */
    create(input: ControlMethods['programs.create']['input']): Promise<ControlMethods['programs.create']['output']>
    /** Change the settings of a Program, its Products and its account types; fields that are not given stay */
    update(input: ControlMethods['programs.update']['input']): Promise<ControlMethods['programs.update']['output']>
    /** Give a Program a new HMAC key; access tokens stay valid until they expire */
    rotate_key(input: ControlMethods['programs.rotate_key']['input']): Promise<ControlMethods['programs.rotate_key']['output']>
  }
  webhooks: {
    /** Subscribe a Client to events: its receiver gets them from now on */
    create(input: ControlMethods['webhooks.create']['input']): Promise<ControlMethods['webhooks.create']['output']>
    /** The webhooks of all Programs, or of one */
    list(input?: ControlMethods['webhooks.list']['input']): Promise<ControlMethods['webhooks.list']['output']>
    /** Change a webhook, pause it or make it active; what is not given stays */
    update(input: ControlMethods['webhooks.update']['input']): Promise<ControlMethods['webhooks.update']['output']>
    /** Delete a webhook: what is on its way to it fails, and its events stay */
    delete(input: ControlMethods['webhooks.delete']['input']): Promise<ControlMethods['webhooks.delete']['output']>
    /** Send a test event to a webhook; one that is unconfirmed is active when its receiver accepts it */
    test(input: ControlMethods['webhooks.test']['input']): Promise<ControlMethods['webhooks.test']['output']>
    /** Record the outcomes of attempts to deliver events; those that are not due any more are left out. The sandbox calls it itself; a replay repeats it */
    record_attempts(input: ControlMethods['webhooks.record_attempts']['input']): Promise<ControlMethods['webhooks.record_attempts']['output']>
  }
  events: {
    /** The events of a Program that its webhooks are told of, newest first, with their deliveries */
    list(input?: ControlMethods['events.list']['input']): Promise<ControlMethods['events.list']['output']>
    /** An event with its deliveries and their attempts */
    get(input: ControlMethods['events.get']['input']): Promise<ControlMethods['events.get']['output']>
    /** Send an event once more, with the same event_id */
    resend(input: ControlMethods['events.resend']['input']): Promise<ControlMethods['events.resend']['output']>
    /** Hold the deliveries of an event that are not finished: they are not sent until events.release */
    hold(input: ControlMethods['events.hold']['input']): Promise<ControlMethods['events.hold']['output']>
    /** Send the held deliveries of an event */
    release(input: ControlMethods['events.release']['input']): Promise<ControlMethods['events.release']['output']>
  }
  tokens: {
    /** Expire the access tokens of a Program now; new ones can be requested at once */
    expire(input: ControlMethods['tokens.expire']['input']): Promise<ControlMethods['tokens.expire']['output']>
  }
  snapshots: {
    /** Save the world as a snapshot; replaces a snapshot of the same name */
    keep(input: ControlMethods['snapshots.keep']['input']): Promise<ControlMethods['snapshots.keep']['output']>
    /** The snapshots */
    list(input?: ControlMethods['snapshots.list']['input']): Promise<ControlMethods['snapshots.list']['output']>
    /** Replace the world by a snapshot, as a commit that can be undone */
    restore(input: ControlMethods['snapshots.restore']['input']): Promise<ControlMethods['snapshots.restore']['output']>
    /** Delete a snapshot */
    delete(input: ControlMethods['snapshots.delete']['input']): Promise<ControlMethods['snapshots.delete']['output']>
    /** Compare two snapshots by record and field; without a name: the current world */
    compare(input?: ControlMethods['snapshots.compare']['input']): Promise<ControlMethods['snapshots.compare']['output']>
  }
  work: {
    /** Cancel a long operation such as a rewind or a replay; for an advance use clock.cancel */
    cancel(input?: ControlMethods['work.cancel']['input']): Promise<ControlMethods['work.cancel']['output']>
  }
  faults: {
    /** Set the faults to inject into requests; replaces the faults set before */
    set(input: ControlMethods['faults.set']['input']): Promise<ControlMethods['faults.set']['output']>
    /** The faults that are set */
    list(input?: ControlMethods['faults.list']['input']): Promise<ControlMethods['faults.list']['output']>
    /** Remove all faults */
    clear(input?: ControlMethods['faults.clear']['input']): Promise<ControlMethods['faults.clear']['output']>
  }
  sandbox: {
    /** Which process answers: its runtime file has the same pid, host, start and nonce */
    identify(input?: ControlMethods['sandbox.identify']['input']): Promise<ControlMethods['sandbox.identify']['output']>
    /** End the sandbox with all of its worlds, as sandbank stop does; only in the root world */
    stop(input: ControlMethods['sandbox.stop']['input']): Promise<ControlMethods['sandbox.stop']['output']>
  }
  worlds: {
    /** Create a named world next to the root world, with records, a clock, keys and logs of its own */
    create(input?: ControlMethods['worlds.create']['input']): Promise<ControlMethods['worlds.create']['output']>
    /** The named worlds */
    list(input?: ControlMethods['worlds.list']['input']): Promise<ControlMethods['worlds.list']['output']>
    /** Write a world into a new data folder, which sandbank serve --data opens */
    keep(input: ControlMethods['worlds.keep']['input']): Promise<ControlMethods['worlds.keep']['output']>
    /** Compare two worlds by record and field; without a name: the root world */
    compare(input?: ControlMethods['worlds.compare']['input']): Promise<ControlMethods['worlds.compare']['output']>
    /** Drop a world: its requests, jobs and streams of notices end */
    drop(input: ControlMethods['worlds.drop']['input']): Promise<ControlMethods['worlds.drop']['output']>
  }
}

/** The names of all methods. */
export const METHODS: readonly (keyof ControlMethods)[] = [
  'clock.read',
  'clock.set',
  'clock.advance',
  'clock.cancel',
  'calendar.read',
  'tasks.list',
  'tasks.run',
  'tasks.hold',
  'tasks.release',
  'records.list',
  'records.received',
  'records.get',
  'records.search',
  'records.history',
  'records.related',
  'records.story',
  'why',
  'payments.path',
  'world.pulse',
  'customers.map',
  'moves.list',
  'moves.make',
  'transactions.inject',
  'operator.create_customer',
  'ledger.accounts',
  'ledger.lines',
  'ledger.balances',
  'ledger.reconciliation',
  'ledger.trial_balance',
  'ledger.check',
  'exchanges.list',
  'exchanges.get',
  'exchanges.send',
  'exchanges.replay',
  'recordings.describe',
  'scenarios.list',
  'scenarios.save',
  'scenarios.read',
  'scenarios.delete',
  'scenarios.run',
  'scenarios.step',
  'scenarios.pause',
  'scenarios.record',
  'bundles.export',
  'bundles.import',
  'programs.list',
  'programs.create',
  'programs.update',
  'programs.rotate_key',
  'webhooks.create',
  'webhooks.list',
  'webhooks.update',
  'webhooks.delete',
  'webhooks.test',
  'webhooks.record_attempts',
  'events.list',
  'events.get',
  'events.resend',
  'events.hold',
  'events.release',
  'tokens.expire',
  'snapshots.keep',
  'snapshots.list',
  'snapshots.restore',
  'snapshots.delete',
  'snapshots.compare',
  'world.commits',
  'world.reset',
  'world.rewind',
  'work.cancel',
  'faults.set',
  'faults.list',
  'faults.clear',
  'world.describe',
  'sandbox.identify',
  'sandbox.stop',
  'worlds.create',
  'worlds.list',
  'worlds.keep',
  'worlds.compare',
  'worlds.drop',
]
