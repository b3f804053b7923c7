/**
 * The DOM specs of a worker share its document, and the modules that were loaded with it. Each file starts with an empty
 * page at the first address, nothing stored, and nothing mocked.
 */
import { vi } from 'vitest'

vi.useRealTimers()
vi.unstubAllGlobals()
Reflect.deleteProperty(globalThis, 'IS_REACT_ACT_ENVIRONMENT')
document.body.replaceChildren()
localStorage.clear()
sessionStorage.clear()
window.history.replaceState(null, '', '/')
