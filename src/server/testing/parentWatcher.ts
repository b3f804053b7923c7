/** A process for `parentProcess.integration.spec.ts`: says when its parent process has ended. */
import { watchParent } from '../parentProcess.ts'

watchParent(process.env, () => {
  console.log('the parent has ended')
  process.exit(0)
})
console.log('watching')
// Keeps it running, and ends it in any case.
setTimeout(() => process.exit(0), 20_000)
