/** The line under the title of one intent, checkout or payment link: the way back, its state, and what it is for. */
import type { ReactNode } from 'react'
import classes from './head-line.module.css'

export const HeadLine = ({ children }: { children: ReactNode }) => <div className={classes.head}>{children}</div>

/** The order or the name that it is for. */
export const HeadName = ({ children }: { children: ReactNode }) => <span className={classes.name}>{children}</span>
