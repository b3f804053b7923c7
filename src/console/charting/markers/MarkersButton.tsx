import { GitCommitVertical } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#console/ui/base/Button.tsx'
import { lazyComponent } from '#console/ui/base/lazyComponent.tsx'
import type { Span } from '#domain/time/span.ts'
import { useMarkerSettings } from './markerSettings.ts'

const MarkersPanel = lazyComponent(async () => (await import('./MarkersPanel.tsx')).MarkersPanel)

interface MarkersButtonProps {
  connectionId: string
  serviceId?: string | undefined
  /** The connection whose data is shown, if it is another one. */
  deploymentsOf?: string | undefined
  /** The range of the charts; undefined before they are drawn. */
  span: Span | undefined
}

/** Which changes the charts of the page mark. */
export function MarkersButton(props: MarkersButtonProps) {
  const { shown } = useMarkerSettings()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  return (
    <>
      <Button
        startIcon={<GitCommitVertical size={14} aria-hidden />}
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        onPointerEnter={MarkersPanel.preload}
        onFocus={MarkersPanel.preload}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        {shown ? 'Changes' : 'Changes: off'}
      </Button>
      {anchor && <MarkersPanel {...props} anchor={anchor} onClose={() => setAnchor(null)} />}
    </>
  )
}
