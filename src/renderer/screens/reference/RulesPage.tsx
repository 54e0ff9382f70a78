import { useEffect } from 'react'
import { rulesBySection } from '../../../api/contract/rules.ts'
import { useRoute } from '../../data/route.ts'
import { PaneIntro } from '../../ui/Layout.tsx'
import { scrollToTop } from '../../ui/scroll.ts'
import { RefTable } from './Tables.tsx'

export function RulesPage() {
  const highlighted = useRoute((view) => view.params.section?.[0])
  useEffect(() => {
    if (highlighted) scrollToTop(document.querySelector('main tr[aria-current]'), 80)
  }, [highlighted])
  return (
    <>
      <PaneIntro as="header">
        <h2>Rules by section</h2>
        <p className="soft">
          The rules that this window names as the cause of a change, with the section of the specification that defines
          them.
        </p>
      </PaneIntro>
      <RefTable label="Rules" heads={['Section', 'Rule']} widths={['96px', 'auto']}>
        {rulesBySection.map(({ rule, section }) => (
          <tr key={rule} aria-current={section === highlighted ? true : undefined}>
            <th scope="row">{section}</th>
            <td>{rule}</td>
          </tr>
        ))}
      </RefTable>
    </>
  )
}
