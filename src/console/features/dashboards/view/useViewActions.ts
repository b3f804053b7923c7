/** Actions on a dashboard as it is shown: share its link, fill the screen, print it. */
import { CalendarRange, Globe, Link2, Maximize, Printer } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useFullScreen } from '#console/shell/fullScreen.ts'
import { copyText } from '#console/shell/messages/copyText.ts'
import type { Action } from '#console/ui/actions/actions.ts'
import { absoluteRange, type TimeRange } from '#console/ui/time/range.ts'
import type { Span } from '#domain/time/span.ts'
import type { ScreenProps } from './viewState.ts'

interface ViewActions {
  actions: Action[]
  isFullScreen: boolean
  /** All tiles are read, whether they are in sight or not. */
  printing: boolean
  onPrinted: () => void
  /** Shows the navigation and the controls again. */
  exitFullScreen: () => void
}

interface ViewedScreen extends Pick<ScreenProps, 'state' | 'onState'> {
  /** The range that is shown. */
  span: Span
  /** Opens the dialog of links for people without an account; undefined where there is no data to share. */
  onShare: (() => void) | undefined
}

export function useViewActions({ state, onState, span, onShare }: ViewedScreen): ViewActions {
  const [printing, setPrinting] = useState(false)
  const isFullScreen = state.wall === '1'
  useFullScreen(isFullScreen)
  useEffect(() => {
    if (!isFullScreen) return undefined
    const leave = () => {
      if (!document.fullscreenElement) onState({ wall: undefined })
    }
    // Where the page only fills its window, the browser does not know of it.
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented) leave()
    }
    document.addEventListener('fullscreenchange', leave)
    document.addEventListener('keydown', onKey)
    return () => {
      document.removeEventListener('fullscreenchange', leave)
      document.removeEventListener('keydown', onKey)
    }
  }, [isFullScreen, onState])
  const fillScreen = () => {
    onState({ wall: '1' }, { push: true })
    // Where the browser refuses, or has no such function, the page fills its window.
    void document.documentElement.requestFullscreen?.().catch(() => {})
  }
  return {
    isFullScreen,
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
      {
        label: 'Public link…',
        icon: Globe,
        run: () => onShare?.(),
        disabled: onShare ? undefined : 'There is no data to share.',
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
