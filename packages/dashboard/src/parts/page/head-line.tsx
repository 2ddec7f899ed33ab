/** The line under the title of an intent, checkout or payment link: the link back, its state, and what it is for. */
import type { ReactNode } from 'react'
import classes from './head-line.module.css'

export const HeadLine = ({ children }: { children: ReactNode }) => <div className={classes.head}>{children}</div>

/** What the intent, checkout or link is for: its order number, or the amount of the link. */
export const HeadName = ({ children }: { children: ReactNode }) => <span className={classes.name}>{children}</span>
