/** The worker that renders templates: one task at a time, without anything else of the server. */
import { parentPort } from 'node:worker_threads'
import type { NotificationInput } from '#domain/alerting/notification/notified.ts'
import { renderNotification } from '#domain/alerting/notification/renderNotification.ts'

const port = parentPort
if (!port) throw new TypeError('renderWorker.ts runs in a worker')
port.on('message', (input: NotificationInput) => port.postMessage(renderNotification(input)))
warmUp()
port.postMessage('ready')

/** The first rendering compiles the library, which takes much longer than a template. */
function warmUp(): void {
  renderNotification({
    alert: {
      id: '',
      name: '{{value}}',
      message: '{{value}}',
      threshold: 0,
      thresholdType: '',
      interval: '',
      source: '',
    },
    event: { alertId: '', state: 'ALERT', groupKey: '', group: null, value: 0, start: 0, end: 0 },
    watched: { name: '' },
    samples: [],
    consoleUrl: '',
    eventId: '',
    service: 'generic',
  })
}
