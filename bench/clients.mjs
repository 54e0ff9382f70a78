// npm run test:clients: fetches tools that read OpenAPI documents from npm, into a temporary folder, and passes the documents of a
// running sandbox and one flow through its API through each of them. `--only 'orval|prism'` runs only clients whose name contains one of
// the texts.
import { load, readOptions } from './support/command.mjs'

const options = readOptions({ only: '' })
// So that the temporary folder is removed and the child processes end.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
const { testClients } = await load('clients/clients.ts')
process.exitCode = (await testClients({ ...options, print: console.log })) ? 0 : 1
