/** What is asked of the console cannot be done; becomes an answer where the console is served. */
export class ConsoleRefusal extends Error {
  override readonly name = 'ConsoleRefusal';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}
