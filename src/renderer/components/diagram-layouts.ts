import { rowOf } from '../../api/contract/collections.ts'
import { type Machine, type MachineName, machines } from '../../api/contract/machines.ts'
import type { CollectionName } from '../data/collections.ts'
import type { DiagramLayout } from './StateDiagram.tsx'

/** Where the states of each state machine are drawn, and which machines a collection has. */

export const diagramLayouts: Readonly<Record<MachineName, DiagramLayout>> = {
  customer: {
    at: {
      initiated: [0, 0],
      queued: [1, 0],
      identity_verified: [2, 0],
      active: [3, 0],
      pending_archival: [4, 0],
      archived: [5, 0],
      rejected: [0, 1],
      manual_review: [1, 1],
      under_review: [3, 1],
    },
    widths: [84, 118, 128, 110, 130, 84],
  },
  kyc: {
    at: {
      manual_review: [0, 0],
      pending_id_documents: [1, 0],
      documents_provided: [2, 0],
      approved: [3, 0],
      pre_verified: [0, 1],
      pending_poa_documents: [1, 1],
      documents_rejected: [2, 1],
      denied: [3, 1],
      pending_idandpoa_documents: [1, 2],
      retake_images: [2, 2],
    },
    widths: [124, 212, 156, 92],
  },
  customer_product: {
    at: { created: [0, 0], active: [1, 0], manual_review: [0, 1], rejected: [1, 1] },
    widths: [124, 92],
  },
  synthetic_account: {
    at: { initiated: [0, 0], active: [1, 0], archived: [2, 0], failed: [0, 1] },
    widths: [84, 76, 88],
  },
  transfer: {
    at: { queued: [0, 0], pending: [1, 0], settled: [2, 0], failed: [3, 0], canceled: [0, 1] },
    widths: [88, 86, 84, 76],
  },
  transaction: {
    at: {
      queued: [0, 0],
      pending: [1, 0],
      settled: [2, 0],
      failed: [3, 0],
      canceled: [0, 1],
      authorization_pending: [1, 1],
      authorization_denied: [2, 1],
      denied: [3, 1],
      expired: [4, 1],
    },
    widths: [88, 168, 164, 76, 84],
  },
  authorization: {
    at: {
      created: [0, 0],
      client_approval_pending: [1, 0],
      client_approved: [2, 0],
      client_unanswered_auto_approved: [3, 0],
      auto_approved: [0, 1],
      auto_denied: [1, 1],
      client_denied: [2, 1],
      client_unanswered_auto_denied: [3, 1],
    },
    widths: [120, 176, 126, 236],
  },
  return: {
    at: { queued: [0, 0], pending: [1, 0], settled: [2, 0], failed: [3, 0], canceled: [0, 1] },
    widths: [88, 86, 84, 76],
  },
  combined_transfer: {
    at: { queued: [0, 0], pending: [1, 0], completed: [2, 0], failed: [1, 1] },
    widths: [84, 86, 100],
  },
  virtual_reference_number: { at: { active: [0, 0], archived: [1, 0] }, widths: [76, 88] },
  vrn_registration: {
    at: { pending: [0, 0], registered: [1, 0], failed: [0, 1], unregistered: [1, 1] },
    widths: [86, 112],
  },
}

interface Diagram {
  readonly field: string
  readonly machine: Machine
  readonly layout: DiagramLayout
}

export const diagramsOf = (collection: CollectionName): readonly Diagram[] =>
  Object.entries(rowOf(collection).machines ?? {}).map(([field, name]) => ({
    field,
    machine: machines[name],
    layout: diagramLayouts[name],
  }))
