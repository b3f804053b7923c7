/** A process that can be killed: sends what is in the outbox of the data folder of its first argument. */
import { join } from 'node:path'
import { webhookGuard } from '../net/webhookAddress.ts'
import { openStore } from '../store/store.ts'
import { startTestNotifier } from './testNotifier.ts'

const [, , dataDir] = process.argv
if (!dataDir) throw new Error('Usage: notifierProcess.ts DATA_DIR')
const store = await openStore({ file: join(dataDir, 'stack.db') })
await startTestNotifier(store, { guard: webhookGuard({ allowed: ['127.0.0.1'], own: [] }) })
process.send?.('ready')
process.on('disconnect', () => process.exit(0))
