import { useQuery } from '@tanstack/react-query'
import { markersQuery } from '#console/api/gateway/markers.ts'
import { Kbd } from '#console/ui/base/Kbd.tsx'
import { Text } from '#console/ui/base/Text.tsx'
import { SwitchInput } from '#console/ui/form/fields/SwitchInput.tsx'
import { SelectInput } from '#console/ui/SelectInput.tsx'
import { PanelPopover } from '#console/ui/layout/PanelPopover.tsx'
import { markerKinds, maxMarkers } from '#contract/console/markerKinds.ts'
import type { Span } from '#domain/time/span.ts'
import { showKind, shownKinds, showService, toggleMarkers, useMarkerSettings } from './markerSettings.ts'
import { markerKindNames } from './markerText.ts'
import * as css from './markers.module.css'

interface MarkersPanelProps {
  anchor: HTMLElement
  connectionId: string
  serviceId?: string | undefined
  deploymentsOf?: string | undefined
  span: Span | undefined
  onClose: () => void
}

/** Switches the marks of all charts on and off, as a whole and by kind. */
export function MarkersPanel({ anchor, span, onClose, ...marked }: MarkersPanelProps) {
  const settings = useMarkerSettings()
  const kinds = shownKinds(settings)
  const { data, isError } = useQuery({
    ...markersQuery({ ...marked, span: span ?? { from: 0, to: 0 }, kinds }),
    enabled: span !== undefined,
  })
  const services = [...new Set(data?.items.flatMap(({ release }) => release?.service ?? []))].toSorted()
  const chosen = kinds.reduce((sum, kind) => sum + (data?.counts[kind] ?? 0), 0)
  return (
    <PanelPopover label="Changes in charts" anchor={anchor} onClose={onClose} className={css.panel}>
      <div className={css.shown}>
        <SwitchInput label="Mark changes in charts" checked={settings.shown} onChange={toggleMarkers} />
        <Kbd>m</Kbd>
      </div>
      <div role="group" aria-label="Kinds of changes" className={css.kinds}>
        {markerKinds.map((kind) => (
          <div key={kind} className={css.kind}>
            <SwitchInput
              label={markerKindNames[kind]}
              checked={settings.shown && kinds.includes(kind)}
              onChange={(on) => showKind(kind, on)}
            />
            {data && <span>{data.counts[kind] ?? 0}</span>}
          </div>
        ))}
      </div>
      {(services.length > 1 || settings.service !== '') && (
        <SelectInput
          label="Deployments of"
          value={settings.service}
          options={[{ value: '', label: 'All services' }, ...services.map((name) => ({ value: name, label: name }))]}
          onChange={showService}
        />
      )}
      <Text variant="caption" color="textSecondary" component="p">
        {isError
          ? 'The changes could not be read.'
          : chosen > maxMarkers
            ? `The newest ${maxMarkers} of ${chosen} changes in this range are marked.`
            : data
              ? 'The numbers are those of this time range.'
              : 'Reading…'}
      </Text>
    </PanelPopover>
  )
}
