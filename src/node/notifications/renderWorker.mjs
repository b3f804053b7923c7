// A thread does not inherit the loader of its process.
import { register } from 'tsx/esm/api'

register()
await import('./renderWorker.ts')
