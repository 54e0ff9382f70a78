import { Plus, X } from 'lucide-react'
import { SyntheticAccountCategory } from '../../../api/contract/resources/synthetic-accounts.ts'
import type { Program } from '../../data/feed.ts'
import { Text } from '../../ui/Text.tsx'
import { changeDraft, type Draft, same, type TypeDraft } from './draft.ts'

interface TypesProps {
  readonly program: Program
  readonly draft: Draft
  readonly wrong: Readonly<Record<string, string>>
}

/** The kinds of Synthetic Account that can be opened. */
export function AccountTypes({ program, draft, wrong }: TypesProps) {
  const types: readonly TypeDraft[] = draft.synthetic_account_types ?? program.synthetic_account_types
  const set = (to: readonly TypeDraft[]) => changeDraft(program.uid, (was) => ({ ...was, synthetic_account_types: to }))
  const change = (at: number, part: Partial<TypeDraft>) =>
    set(types.map((one, i) => (i === at ? { ...one, ...part } : one)))
  return (
    <section id="part-types" aria-label="Synthetic Account Types">
      <h2>Synthetic Account Types</h2>
      <p className="soft about-group">
        What Synthetic Accounts can be opened as (section 1). One of category general must be there: activation opens an
        account of it.
      </p>
      {Object.entries(wrong).map(([path, says]) => (
        <p key={path} className="bad about-group" role="alert">
          <code>{path}</code>: {says}
        </p>
      ))}
      <div className="scrollx">
        <table className="offers">
          <thead>
            <tr>
              <th scope="col">name</th>
              <th scope="col">synthetic_account_category</th>
              <th scope="col">description</th>
              <th scope="col">uid</th>
              <th scope="col">
                <span className="unseen">Withdraw</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {types.map((type, at) => {
              const was = program.synthetic_account_types.find(({ uid }) => uid === type.uid)
              const called = type.name || `type ${at + 1}`
              const isWrong = (field: keyof TypeDraft) => wrong[`synthetic_account_types.${at}.${field}`] !== undefined
              return (
                <tr key={type.uid ?? `new ${at}`} data-changed={was && same(was, type) ? undefined : ''}>
                  <td>
                    <span className="field" data-wrong={isWrong('name') ? '' : undefined}>
                      <input
                        aria-label={`Name of ${called}`}
                        aria-invalid={isWrong('name') || undefined}
                        value={type.name}
                        onChange={(event) => change(at, { name: event.target.value })}
                      />
                    </span>
                  </td>
                  <td>
                    <span className="field">
                      <select
                        aria-label={`Category of ${called}`}
                        value={type.synthetic_account_category}
                        onChange={(event) =>
                          change(at, {
                            synthetic_account_category: SyntheticAccountCategory.parse(event.target.value),
                          })
                        }
                      >
                        {SyntheticAccountCategory.options.map((category) => (
                          <option key={category}>{category}</option>
                        ))}
                      </select>
                    </span>
                  </td>
                  <td>
                    <span className="field" data-wrong={isWrong('description') ? '' : undefined}>
                      <input
                        aria-label={`Description of ${called}`}
                        aria-invalid={isWrong('description') || undefined}
                        value={type.description}
                        onChange={(event) => change(at, { description: event.target.value })}
                      />
                    </span>
                  </td>
                  <td className="mono faint">
                    <Text>{type.uid ?? 'new'}</Text>
                  </td>
                  <td>
                    <button
                      type="button"
                      className="btn"
                      data-bare
                      data-icon
                      aria-label={`Withdraw ${called}`}
                      onClick={() => set(types.toSpliced(at, 1))}
                    >
                      <X size={13} aria-hidden="true" />
                    </button>
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
      <p className="about-group">
        <button
          type="button"
          className="btn"
          onClick={() => set([...types, { name: '', description: '', synthetic_account_category: 'general' }])}
        >
          <Plus size={12} strokeWidth={2} aria-hidden="true" />
          Add a type
        </button>
      </p>
    </section>
  )
}
