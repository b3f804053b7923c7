import Box from '@mui/material/Box'
import type { ReactNode } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import type { AlertForm } from '../alertForm.ts'
import { Backtest } from './Backtest.tsx'

interface BacktestFormProps {
  form: UseFormReturn<AlertForm>
  /** The fields of the form. */
  children: ReactNode
}

/** The fields of an alert with its backtest beside them, or below where there is no room. */
export function BacktestForm({ form, children }: BacktestFormProps) {
  return (
    <Box sx={layoutSx}>
      <Box sx={{ display: 'flex', flexDirection: 'column', gap: 4, minWidth: 0 }}>{children}</Box>
      <Box sx={{ minWidth: 0, position: { lg: 'sticky' }, top: { lg: 12 } }}>
        <Backtest form={form} />
      </Box>
    </Box>
  )
}

const layoutSx = {
  display: 'grid',
  gap: 4,
  alignItems: 'start',
  gridTemplateColumns: { xs: 'minmax(0, 880px)', lg: 'minmax(0, 5fr) minmax(0, 6fr)' },
} as const
