/** Notifications for tests: no host can be reached unless the test allows it, and retries are fast. */
import pino from 'pino'
import { webhookGuard } from '../net/webhookAddress.ts'
import { startNotifier, type Notifications, type NotifierOptions } from '../notifications/notifier.ts'
import type { Store } from '../store/store.ts'

export function startTestNotifier(store: Store, options: Partial<NotifierOptions> = {}): Promise<Notifications> {
  return startNotifier({
    store,
    guard: webhookGuard({ allowed: [], own: [] }, async () => []),
    consoleUrl: 'https://console.example',
    logger: pino({ level: 'silent' }),
    exclusive: true,
    interval: 20,
    retryDelays: [20, 20],
    ...options,
  })
}
