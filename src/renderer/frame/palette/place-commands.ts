import type { ScenarioInfo } from '../../../api/contract/control/scenarios.ts'
import { opens } from '../../actions/action.ts'
import { screenIcons } from '../../actions/screen-icons.ts'
import { settingsSections } from '../../data/settings-sections.ts'
import { DECISIONS, injections, OUTSIDE } from '../../forms/injections.ts'
import type { Command } from './command.ts'

/** Commands that open a part of a screen: a kind of injection, a scenario, a section of the settings. */

export const injectCommands: readonly Command[] = [...injections, OUTSIDE, DECISIONS].map((injection) => ({
  id: `inject ${injection.id}`,
  icon: screenIcons.inject,
  title: `Inject: ${injection.title}`,
  also: `${injection.group} ${'description' in injection ? injection.description : ''} simulate payment`,
  detail: injection.group,
  run: opens({ screen: 'inject', params: { kind: [injection.id] } }),
}))

export const settingsCommands: readonly Command[] = settingsSections
  .filter(([id]) => id !== 'other')
  .map(([id, title, names]) => ({
    id: `settings ${id}`,
    icon: screenIcons.settings,
    title: `Settings: ${title}`,
    also: `section program preferences ${names} ${names.replaceAll('_', ' ')}`,
    run: opens({ screen: 'settings', params: { part: [id] } }),
  }))

export const scenarioCommands = (scenarios: readonly ScenarioInfo[]): Command[] =>
  scenarios.map(({ name, title, teaches, own }) => ({
    id: `scenario ${name}`,
    icon: screenIcons.scenarios,
    title: `Scenario: ${title}`,
    also: `${name} ${teaches ?? ''} run test`,
    detail: own ? 'yours' : 'library',
    run: opens({ screen: 'scenarios', record: name }),
  }))
