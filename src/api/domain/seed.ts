import program from '../../../resources/program.json' with { type: 'json' }
import { Product } from '../contract/resources/products.ts'
import { Program } from '../contract/resources/programs.ts'
import { SyntheticAccountType } from '../contract/resources/synthetic-accounts.ts'
import type { WorldTx } from '../store/store.ts'
import { scheduleClose } from './resources/closing-balances.ts'

/** A fresh world: one Program with its products and account types, from `resources/program.json`, and its days begun. */
export function seed(tx: WorldTx) {
  const { products, synthetic_account_types, ...settings } = program
  const program_uid = settings.uid
  tx.programs.put({ ...Program.parse(settings), program_uid })
  for (const product of products) tx.products.put(Product.parse({ ...product, program_uid }))
  for (const type of synthetic_account_types)
    tx.synthetic_account_types.put(SyntheticAccountType.parse({ ...type, program_uid }))
  scheduleClose(tx.inProgram(program_uid))
}
