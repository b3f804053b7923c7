/** Actions on selected alerts. */
import { BellOff, Gauge, Timer, Webhook } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { useFeatureOffer } from '#console/api/offers/useFeatureOffer.ts'
import type { Names } from '#console/references/alertNames.ts'
import { useConnection } from '#console/shell/connection.tsx'
import { lockReason } from '#console/shell/lockReason.ts'
import type { Action } from '#console/ui/actions/actions.ts'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import { alerts, type Alert } from '#contract/stack/alerts.ts'

// Few visits change many alerts: the dialogs are loaded with the first that does.
const dialogs = {
  channels: lazyComponent(async () => (await import('./BulkChanges.tsx')).BulkChannels),
  interval: lazyComponent(async () => (await import('./BulkChanges.tsx')).BulkInterval),
  threshold: lazyComponent(async () => (await import('./BulkChanges.tsx')).BulkThreshold),
  silence: lazyComponent(async () => (await import('./BulkSilence.tsx')).BulkSilence),
}
type Kind = keyof typeof dialogs

/** `dialog` belongs on the page. */
export function useBulkActions(
  names: Names,
  nameOf: (alert: Alert) => string,
): { actions: (selected: Alert[]) => Action[]; dialog: ReactNode } {
  const connection = useConnection()
  const [open, setOpen] = useState<{ kind: Kind; selected: Alert[] } | null>(null)
  const locked = lockReason(connection)
  const silences = useFeatureOffer(connection, alerts.silence)
  const silenceLock = silences ? locked : 'This deployment’s API does not offer silences of alerts.'
  const Dialog = open && dialogs[open.kind]
  return {
    actions: (selected) => {
      const action = (kind: Kind, label: string, icon: Action['icon'], disabled = locked): Action => ({
        label,
        icon,
        disabled,
        run: () => setOpen({ kind, selected }),
      })
      return [
        action('channels', 'Change channels', Webhook),
        action('interval', 'Change interval', Timer),
        action('threshold', 'Change threshold', Gauge),
        action('silence', 'Silence', BellOff, silenceLock),
      ]
    },
    dialog: open && Dialog && (
      <Dialog alerts={open.selected} names={names} nameOf={nameOf} onClose={() => setOpen(null)} />
    ),
  }
}
