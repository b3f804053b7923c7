/** A process for `parentProcess.integration.spec.ts`: says when its parent process has ended. */
import { watchParent } from '../process/parentProcess.ts'

watchParent(process.env, () => {
  process.stdout.write('the parent has ended\n')
  process.exit(0)
})
process.stdout.write('watching\n')
// Keeps it running, and ends it in any case.
setTimeout(() => process.exit(0), 20_000)
