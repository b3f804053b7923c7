import type { ComponentType } from 'react'
import { MuiProvider } from '../theme/MuiProvider.tsx'

/** A component of MUI with its surroundings: whatever is inside may use MUI too. */
export function withMui<Props extends object>(Component: ComponentType<Props>) {
  return function WithMui(props: Props) {
    return (
      <MuiProvider>
        <Component {...props} />
      </MuiProvider>
    )
  }
}
