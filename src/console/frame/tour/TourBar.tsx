import { useLocation } from '@tanstack/react-router'
import { ArrowLeft, X } from 'lucide-react'
import { Button } from '#console/ui/base/Button.tsx'
import { IconButton } from '#console/ui/base/IconButton.tsx'
import { hint } from '#console/ui/hint/hint.ts'
import { StatusChip } from '#console/ui/StatusChip.tsx'
import { useNow } from '#console/ui/Timestamp.tsx'
import type { SampleIncident } from '#contract/stack/sample.ts'
import { setBrowserSettings } from '#console/shell/browserSettings.ts'
import { LinkButton } from '#console/shell/LinkButton.tsx'
import { tourSteps } from './tourSteps.ts'
import * as css from '../frame.module.css'

interface TourBarProps {
  connectionId: string
  incident: SampleIncident
  /** 1 for the first step. */
  step: number
}

/** Explains the page that the tour is on, and leads to the next one. Above the page, so that it covers nothing. */
export function TourBar({ connectionId, incident, step: kept }: TourBarProps) {
  const now = useNow()
  const pathname = useLocation({ select: (location) => location.pathname })
  const steps = tourSteps(connectionId, incident, now)
  // Another version of the console may have had more of them.
  const step = Math.min(kept, steps.length)
  const current = steps[step - 1]
  if (!current) return null
  const linkTo = (index: number) => {
    const to = steps[index - 1]
    return to && { to: to.to, search: to.search, onClick: () => setBrowserSettings({ tour: index }) }
  }
  const previous = linkTo(step - 1)
  const next = linkTo(step + 1)
  const end = () => {
    setBrowserSettings({ tour: 'dismissed' })
    // The button that had the focus is gone.
    document.querySelector<HTMLElement>('#main')?.focus()
  }
  return (
    <section className={css.tourBar} aria-label="Tour">
      <div role="status">
        <span className={css.tourTitle}>{current.name}</span>{' '}
        <StatusChip tone="accent">
          Step {step} of {steps.length}, sample data
        </StatusChip>
        <p className={css.tourText}>{current.text}</p>
      </div>
      <div className={css.tourActions}>
        {previous && (
          <LinkButton {...previous} startIcon={<ArrowLeft size={13} aria-hidden />}>
            Back
          </LinkButton>
        )}
        {pathname !== current.to && (
          <LinkButton to={current.to} search={current.search}>
            Show this step
          </LinkButton>
        )}
        {next ? (
          <LinkButton {...next} variant="contained" color="primary">
            Next: {steps[step]?.name}
          </LinkButton>
        ) : (
          <Button variant="contained" color="primary" onClick={end}>
            Finish
          </Button>
        )}
        {next && (
          <IconButton {...hint('End the tour')} aria-label="End the tour" onClick={end}>
            <X size={15} aria-hidden />
          </IconButton>
        )}
      </div>
    </section>
  )
}
