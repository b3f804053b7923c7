import type { SeriesStyle } from './palette.ts'

interface SwatchProps {
  style: SeriesStyle
  ghost?: boolean | undefined
  overlay?: boolean | undefined
}

/** A short piece of a series' line: its colour and dash. */
export function Swatch({ style, ghost = false, overlay = false }: SwatchProps) {
  const dash = ghost ? '2 3' : overlay ? '4 2' : style.dash.join(' ')
  return (
    <svg width={14} height={8} aria-hidden style={{ flexShrink: 0, opacity: ghost ? 0.8 : 1 }}>
      <path d="M1 4H13" stroke={`var(${style.variable})`} strokeWidth={3} strokeDasharray={dash} />
    </svg>
  )
}
