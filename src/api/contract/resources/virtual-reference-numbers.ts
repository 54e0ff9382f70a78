import { z } from 'zod'
import { fromOwn } from '../terms/derived.ts'
import { endpoint } from '../terms/endpoint.ts'
import { examples } from '../terms/examples.ts'
import { anyOf, envelope, indexed, list, MAX_LIMIT } from '../terms/list.ts'
import { ExternalUid, NoContent, optionalName, orNull, RoutingNumber, Timestamp, Uid } from '../terms/primitives.ts'

/** A VRN receives payments for a general Synthetic Account and has no balance. */

export const VrnStatus = z.enum(['active', 'archived'])
export type VrnStatus = z.infer<typeof VrnStatus>

export const RegistrationStatus = z.enum(['pending', 'registered', 'unregistered', 'failed'])
export type RegistrationStatus = z.infer<typeof RegistrationStatus>

export const LockReason = z.enum(['admin', 'customer_request'])
export type LockReason = z.infer<typeof LockReason>

const Name = z.string().max(255)

/** A list does not show the whole number. */
const VrnSummary = z
  .object({
    uid: Uid,
    external_uid: orNull(ExternalUid),
    name: orNull(Name),
    synthetic_account_uid: Uid,
    custodial_account_uid: Uid,
    routing_number: RoutingNumber,
    virtual_reference_number_last_four: z.string().meta({ examples: ['6520'] }),
    status: VrnStatus.meta({ description: 'A locked VRN is active, too: see locked_at' }),
    instant_payment_rail_registration_status: RegistrationStatus,
    locked_at: Timestamp.nullable(),
    lock_reason: LockReason.nullable(),
    archived_at: Timestamp.nullable(),
    created_at: Timestamp,
  })
  .meta({ id: 'VirtualReferenceNumberSummary' })

export const Vrn = VrnSummary.extend({
  virtual_reference_number: z
    .string()
    .regex(/^\d{16}$/)
    .meta({ examples: ['6629592895956520'] }),
}).meta({ id: 'VirtualReferenceNumber' })
export type Vrn = z.infer<typeof Vrn>

/** Computed when it is shown. */
export const derivedFields = {
  virtual_reference_number_last_four: fromOwn('The last four digits of the number', 'virtual_reference_number'),
}
type Kept = Omit<Vrn, keyof typeof derivedFields>

export const vrnList = list<Kept>()({
  rules: derivedFields,
  defaultLimit: MAX_LIMIT,
  filters: {
    instant_payment_rail_registration_status: anyOf(
      (vrn) => vrn.instant_payment_rail_registration_status,
      RegistrationStatus,
    ),
    status: anyOf((vrn) => vrn.status, VrnStatus),
    synthetic_account_uid: indexed('synthetic_account_uid'),
    virtual_reference_number: indexed('virtual_reference_number'),
  },
})

const editable = { external_uid: ExternalUid.nullable().optional(), name: optionalName(Name) }

export const CreateVrn = z
  .object({
    ...editable,
    synthetic_account_uid: Uid,
    routing_number: RoutingNumber,
    synchronous_registration: z
      .boolean()
      .nullable()
      .optional()
      .meta({ description: 'If true, the response waits for the registration. Default false.' }),
  })
  .meta({
    id: 'CreateVirtualReferenceNumber',
    examples: [
      { name: 'Invoice 2291', synthetic_account_uid: examples.synthetic_accounts, routing_number: '110000000' },
    ],
  })
export type CreateVrn = z.infer<typeof CreateVrn>

export const UpdateVrn = z
  .object(editable)
  .meta({ id: 'UpdateVirtualReferenceNumber', examples: [{ name: 'Invoice 2291' }] })
export type UpdateVrn = z.infer<typeof UpdateVrn>

export const LockVrn = z
  .object({ lock_reason: LockReason })
  .meta({ id: 'LockVirtualReferenceNumber', examples: [{ lock_reason: 'customer_request' }] })
export type LockVrn = z.infer<typeof LockVrn>

export const vrnEndpoints = {
  listVirtualReferenceNumbers: endpoint({
    method: 'GET',
    path: '/virtual_reference_numbers',
    group: 'VRNs',
    summary: 'List Virtual Reference Numbers',
    description: 'Lists the Virtual Reference Numbers.',
    query: vrnList.query,
    status: 200,
    response: envelope(VrnSummary),
    errors: ['invalidLimit'],
    documents: [422],
  }),
  createVirtualReferenceNumber: endpoint({
    method: 'POST',
    path: '/virtual_reference_numbers',
    group: 'VRNs',
    summary: 'Create a Virtual Reference Number',
    description: 'Creates a Virtual Reference Number, which receives payments for a general account.',
    body: CreateVrn,
    status: 201,
    response: Vrn,
    errors: [
      'missingParameter',
      'invalidArgument',
      'vrnNotCreated',
      'syntheticAccountNotFound',
      'archivedCustomer',
      'inactiveCustomer',
      'customerLocked',
      'vrnAccountIneligible',
    ],
  }),
  getVirtualReferenceNumber: endpoint({
    method: 'GET',
    path: '/virtual_reference_numbers/{uid}',
    group: 'VRNs',
    summary: 'Get one Virtual Reference Number',
    description: 'Returns a Virtual Reference Number.',
    status: 200,
    response: Vrn,
    errors: ['vrnNotFound'],
  }),
  updateVirtualReferenceNumber: endpoint({
    method: 'PUT',
    path: '/virtual_reference_numbers/{uid}',
    group: 'VRNs',
    summary: 'Edit a Virtual Reference Number',
    description: 'Changes the name of a Virtual Reference Number.',
    body: UpdateVrn,
    status: 200,
    response: Vrn,
    errors: ['vrnNotFound', 'vrnArchived', 'vrnNotUpdated'],
  }),
  archiveVirtualReferenceNumber: endpoint({
    method: 'DELETE',
    path: '/virtual_reference_numbers/{uid}',
    example: 'archivable_vrn',
    group: 'VRNs',
    summary: 'Archive a Virtual Reference Number',
    description: 'Archives a Virtual Reference Number. It receives no further payments.',
    status: 204,
    response: NoContent,
    errors: ['vrnNotFound'],
  }),
  lockVirtualReferenceNumber: endpoint({
    method: 'PUT',
    path: '/virtual_reference_numbers/{uid}/lock',
    group: 'VRNs',
    summary: 'Lock a Virtual Reference Number',
    description: 'Locks a Virtual Reference Number. While it is locked, it receives no payments.',
    body: LockVrn,
    status: 200,
    response: Vrn,
    errors: ['vrnNotFound', 'vrnArchived', 'vrnAlreadyLocked', 'vrnLockCooldown'],
  }),
  unlockVirtualReferenceNumber: endpoint({
    method: 'PUT',
    path: '/virtual_reference_numbers/{uid}/unlock',
    group: 'VRNs',
    summary: 'Unlock a Virtual Reference Number',
    description: 'Unlocks a Virtual Reference Number.',
    status: 200,
    response: Vrn,
    errors: ['vrnNotFound', 'vrnArchived', 'vrnAlreadyUnlocked', 'vrnUnlockCooldown'],
  }),
}
