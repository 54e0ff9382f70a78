/** The extensions of the files that the app and its window open. */
export const BUNDLE = '.sandbank'
export const SCENARIOS: readonly string[] = ['.yaml', '.yml']
export const endingOf = (file: string): string => /\.[^./\\]+$/.exec(file)?.[0].toLowerCase() ?? ''

/** The name under which the scenario of a file is saved. */
export const scenarioNameOf = (file: string): string => file.replace(/\.[^.]*$/, '').replace(/[^\w.-]+/g, '-')
