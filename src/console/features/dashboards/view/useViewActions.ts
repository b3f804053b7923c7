/** What is done with a dashboard as it is shown: share its link, fill the screen, print it. */
import { CalendarRange, Link2, Maximize, Printer } from 'lucide-react'
import { useEffect, useState } from 'react'
import { copyText } from '#console/shell/messages/copyText.ts'
import type { Action } from '#console/ui/actions/actions.ts'
import { absoluteRange, type TimeRange } from '#console/ui/time/range.ts'
import type { Span } from '#domain/time/span.ts'
import type { ScreenProps } from './viewState.ts'

interface ViewActions {
  actions: Action[]
  /** All tiles are read, whether they are in sight or not. */
  printing: boolean
  onPrinted: () => void
  /** Shows the navigation and the controls again. */
  exitFullScreen: () => void
}

/** @param span the range that is shown */
export function useViewActions({ state, onState }: Pick<ScreenProps, 'state' | 'onState'>, span: Span): ViewActions {
  const [printing, setPrinting] = useState(false)
  const isFullScreen = state.wall === '1'
  useEffect(() => {
    if (!isFullScreen) return undefined
    const onChange = () => {
      if (!document.fullscreenElement) onState({ wall: undefined })
    }
    document.addEventListener('fullscreenchange', onChange)
    return () => document.removeEventListener('fullscreenchange', onChange)
  }, [isFullScreen, onState])
  const fillScreen = () => {
    // A screen on a wall would go on showing what it showed first.
    onState({ wall: '1', ...(state.refresh === 'off' && { refresh: '1m' }) }, { push: true })
    // Where the browser refuses, the page fills its window.
    void document.documentElement.requestFullscreen().catch(() => {})
  }
  return {
    printing,
    onPrinted: () => setPrinting(false),
    exitFullScreen: () => {
      onState({ wall: undefined })
      if (document.fullscreenElement) void document.exitFullscreen()
    },
    actions: [
      { label: 'Copy link', icon: Link2, run: () => void copyText(linkWith({}), 'Link') },
      {
        label: 'Copy link with fixed times',
        icon: CalendarRange,
        run: () => void copyText(linkWith(absoluteRange(span)), 'Link'),
      },
      { label: 'Full screen', icon: Maximize, run: fillScreen },
      { label: 'Print', icon: Printer, run: () => setPrinting(true) },
    ],
  }
}

/** The address of what is shown, with some of its parameters changed. */
function linkWith(parameters: Partial<TimeRange>): string {
  const url = new URL(location.href)
  url.searchParams.delete('wall')
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}
