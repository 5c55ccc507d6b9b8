import * as vscode from 'vscode';
import { DidChangeConfigurationNotification, State } from 'vscode-languageclient';
import { type Executable, LanguageClient } from 'vscode-languageclient/node';
import { findProgram } from './find';
import type { Installation } from './install';
import type { Status } from './protocol';
import { clientSettings, serverSettings, type Shown } from './settings';

const MISSING =
  'The EscapeLens server was found neither in the active Python environment nor on PATH. ' +
  'It can be installed into an environment of its own; that needs Python 3.10 or later.';

/** The language server: finds it, starts it, and passes on what it says. */
export class Server implements vscode.Disposable {
  private client: LanguageClient | undefined;
  private turn: Promise<void> = Promise.resolve();
  private readonly said = new vscode.EventEmitter<Status>();

  /** What the server says about its runs; also whether it runs at all. */
  readonly onStatus = this.said.event;

  constructor(
    private readonly output: vscode.LogOutputChannel,
    private readonly shown: Shown,
    private readonly folder: string,
    private readonly installation: Installation,
  ) {}

  /** Start the server, or end it and start it anew. Calls wait for each other. */
  restart(): Promise<void> {
    this.turn = this.turn.then(async () => {
      await this.stop();
      await this.start();
    });
    return this.turn;
  }

  /** Run a command of the server. Undefined while the server does not run. */
  async command<Answer>(
    command: string,
    argument: object,
    token?: vscode.CancellationToken,
  ): Promise<Answer | undefined> {
    if (this.client?.state !== State.Running) {
      return undefined;
    }
    const call = { command, arguments: [argument] };
    // An undefined token would be sent as a second parameter.
    return token === undefined
      ? this.client.sendRequest<Answer>('workspace/executeCommand', call)
      : this.client.sendRequest<Answer>('workspace/executeCommand', call, token);
  }

  /** Install the server from the wheel that the extension carries, and start it. */
  async install(): Promise<void> {
    try {
      await this.stop();
      await this.installation.install();
    } catch (error) {
      const text = error instanceof Error ? error.message : String(error);
      this.failed(text);
      void offerOutput(this.output, text);
      return;
    }
    await this.restart();
  }

  /** Tell the server to read its settings again. */
  async settingsChanged(): Promise<void> {
    if (this.client?.state === State.Running) {
      await this.client.sendNotification(DidChangeConfigurationNotification.type, { settings: null });
    }
  }

  async stop(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    if (client?.isRunning()) {
      // A server that does not end in good order is ended by force, and says why in the output.
      await client.dispose().catch(() => undefined);
    }
  }

  dispose(): void {
    this.said.dispose();
  }

  private async start(): Promise<void> {
    const command = await this.find();
    void vscode.commands.executeCommand('setContext', 'escapelens.missing', command === undefined);
    if (command === undefined) {
      this.failed(MISSING);
      void offerInstallation();
      return;
    }
    this.output.info(`Starting ${command.join(' ')}`);
    const client = this.create(command);
    this.client = client;
    try {
      await client.start();
      void vscode.commands.executeCommand('setContext', 'escapelens.ready', true);
      this.said.fire({ state: 'idle', package: '', message: '' });
    } catch (error) {
      // The client library shows a message of its own.
      this.failed(`The EscapeLens server did not start: ${String(error)}`);
    }
  }

  /** The setting, the active Python environment, PATH, else what was installed from the extension. */
  private async find(): Promise<readonly string[] | undefined> {
    const { command } = clientSettings();
    if (command.length > 0) {
      return command;
    }
    let program = await findProgram();
    if (program === undefined && this.installation.program !== undefined) {
      try {
        program = this.installation.outdated ? await this.installation.install() : this.installation.program;
      } catch (error) {
        this.output.error(String(error));
      }
    }
    return program === undefined ? undefined : [program, 'lsp'];
  }

  private create(command: readonly string[]): LanguageClient {
    const [program = '', ...args] = command;
    // Outside the workspace: Python looks for modules in the working directory.
    const run: Executable = { command: program, args, options: { cwd: this.folder } };
    const client = new LanguageClient('escapelens', 'EscapeLens', run, {
      documentSelector: [{ scheme: 'file', language: 'go' }],
      outputChannel: this.output,
      initializationOptions: () => serverSettings(this.shown),
      middleware: {
        workspace: { configuration: ({ items }) => items.map(() => serverSettings(this.shown)) },
      },
    });
    client.onNotification('escapelens/status', (status: Status) => this.said.fire(status));
    client.onDidChangeState(({ newState }) => {
      if (newState === State.Stopped && this.client === client) {
        this.said.fire({ state: 'failed', package: 'server', message: 'The server has stopped.' });
      }
    });
    return client;
  }

  private failed(message: string): void {
    this.output.error(message);
    this.said.fire({ state: 'failed', package: 'server', message });
  }
}

async function offerInstallation(): Promise<void> {
  const choice = await vscode.window.showErrorMessage(MISSING, 'Install Server', 'Open Settings');
  if (choice === 'Install Server') {
    await vscode.commands.executeCommand('escapelens.installServer');
  } else if (choice !== undefined) {
    await vscode.commands.executeCommand('workbench.action.openSettings', 'escapelens.server');
  }
}

async function offerOutput(output: vscode.LogOutputChannel, text: string): Promise<void> {
  if ((await vscode.window.showErrorMessage(text, 'Show Output')) !== undefined) {
    output.show();
  }
}
