import { client as c, take, within } from "./client";

export const signIn = (token: string) => take(c.POST("/api/login", { body: { token }, signal: within() }));
export const signOut = () => take(c.POST("/api/logout", { signal: within() }));
