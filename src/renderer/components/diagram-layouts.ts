import { rowOf } from '../../api/contract/collections.ts'
import { type Machine, type MachineName, machines } from '../../api/contract/machines.ts'
import type { CollectionName } from '../data/collections.ts'
import type { DiagramLayout } from './StateDiagram.tsx'

/** Where the states of each state machine are drawn, and which machines a collection has. */

/** A row of states each, from left to right, and the widths of the columns. A dot is an empty place. */
const rows: Readonly<Record<MachineName, readonly [widths: readonly number[], ...rows: string[]]>> = {
  customer: [
    [84, 118, 128, 110, 130, 84],
    'initiated queued        identity_verified active       pending_archival archived',
    'rejected  manual_review .                 under_review',
  ],
  kyc: [
    [124, 212, 156, 92],
    'manual_review pending_id_documents       documents_provided approved',
    'pre_verified  pending_poa_documents      documents_rejected denied',
    '.             pending_idandpoa_documents retake_images',
  ],
  customer_product: [[124, 92], 'created active', 'manual_review rejected'],
  synthetic_account: [[84, 76, 88], 'initiated active archived', 'failed'],
  transfer: [[88, 86, 84, 76], 'queued pending settled failed', 'canceled'],
  transaction: [
    [88, 168, 164, 76, 84],
    'queued   pending               settled              failed',
    'canceled authorization_pending authorization_denied denied expired',
  ],
  authorization: [
    [120, 176, 126, 236],
    'created       client_approval_pending client_approved client_unanswered_auto_approved',
    'auto_approved auto_denied             client_denied   client_unanswered_auto_denied',
  ],
  return: [[88, 86, 84, 76], 'queued pending settled failed', 'canceled'],
  combined_transfer: [[84, 86, 100], 'queued pending completed', '. failed'],
  virtual_reference_number: [[76, 88], 'active archived'],
  vrn_registration: [[86, 112], 'pending registered', 'failed unregistered'],
}

const readLayout = ([widths, ...lines]: (typeof rows)[MachineName]): DiagramLayout => {
  const places = lines.flatMap((line, row) => line.split(/ +/).map((state, column) => [state, [column, row]] as const))
  return { at: Object.fromEntries(places.filter(([state]) => state !== '.')), widths }
}

export const diagramLayouts = Object.fromEntries(
  Object.entries(rows).map(([name, drawn]) => [name, readLayout(drawn)]),
) as Readonly<Record<MachineName, DiagramLayout>>

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
