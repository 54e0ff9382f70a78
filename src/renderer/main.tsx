// First, so that the styles of all parts come after them.
import './styles/tokens.css'
import './styles/base.css'
import './styles/print.css'

import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './App.tsx'
import { connectDesktop } from './data/desktop.ts'
import { listenToKey } from './data/http-bridge.ts'
import { listenToLinkClicks, releaseOpener } from './data/new-window.ts'
import { listenToHash } from './data/route.ts'
import { connect, findBridge } from './data/sandbox.ts'
import { readTheme } from './data/theme.ts'
import { listenToDrops } from './frame/file-drop.ts'

// Zod would try `new Function` to see whether it may compile; this page's content security policy forbids that and logs
// an error. It reads this when it is loaded, with the first form.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })

// Removes the key from the address before anything else reads it.
const bridge = findBridge()
releaseOpener()
readTheme()
listenToKey()
listenToHash()
if (bridge) connect(bridge)
connectDesktop()
listenToDrops()
listenToLinkClicks()

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <App hasKey={bridge !== undefined} />
  </StrictMode>,
)
