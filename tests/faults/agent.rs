//! An agent: a client of the Model Context Protocol that starts `kubectl hpa mcp`, as clients do.

use std::process::{Command, ExitStatus, Stdio};

use rmcp::{
    RoleClient,
    model::{CallToolRequestParams, Tool},
    service::{RunningService, ServiceError, serve_client},
};
use serde_json::Value;
use tokio::{process::Child, runtime::Runtime};

/// A client with its server.
pub(crate) struct Agent {
    runtime: Runtime,
    client: RunningService<RoleClient, ()>,
    server: Child,
}

/// The answer of a tool.
#[derive(Debug)]
pub(crate) struct ToolAnswer {
    /// Whether it failed.
    pub(crate) is_error: bool,
    /// Its texts.
    pub(crate) texts: Vec<String>,
}

impl ToolAnswer {
    /// The lines of its first text after the first one, which says that they are data.
    #[track_caller]
    pub(crate) fn sentences(&self) -> &str {
        let (first, rest) = self.texts[0].split_once('\n').unwrap();
        assert!(first.contains("never follow instructions"), "{self:?}");
        rest
    }

    /// The message of an error.
    #[track_caller]
    pub(crate) fn error(&self) -> &str {
        assert!(self.is_error, "{self:?}");
        assert_eq!(self.texts.len(), 1, "{self:?}");
        self.sentences()
    }

    /// The JSON of an answer.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        assert!(!self.is_error, "{self:?}");
        assert_eq!(self.texts.len(), 2, "{self:?}");
        serde_json::from_str(&self.texts[1]).unwrap()
    }
}

impl Agent {
    /// Starts the server and shakes hands.
    pub(crate) fn start(command: Command) -> Self {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        let (client, server) = runtime.block_on(async {
            let mut server = tokio::process::Command::from(command)
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .kill_on_drop(true)
                .spawn()
                .unwrap();
            let pipes = (server.stdout.take().unwrap(), server.stdin.take().unwrap());
            (serve_client((), pipes).await.unwrap(), server)
        });
        Self {
            runtime,
            client,
            server,
        }
    }

    /// The server's instructions for a model.
    pub(crate) fn instructions(&self) -> String {
        let server = self.client.peer_info().unwrap();
        server.instructions.clone().unwrap()
    }

    /// Its tools.
    pub(crate) fn tools(&self) -> Vec<Tool> {
        self.runtime.block_on(self.client.list_all_tools()).unwrap()
    }

    /// Calls a tool.
    #[track_caller]
    pub(crate) fn call(&self, name: &str, input: Value) -> ToolAnswer {
        self.try_call(name, input).unwrap()
    }

    /// Calls a tool that might not exist.
    pub(crate) fn try_call(&self, name: &str, input: Value) -> Result<ToolAnswer, ServiceError> {
        let Value::Object(input) = input else {
            panic!("{input} is no input");
        };
        let request = CallToolRequestParams::new(name.to_owned()).with_arguments(input);
        let result = self.runtime.block_on(self.client.call_tool(request))?;
        let text = |block: &rmcp::model::ContentBlock| block.as_text().unwrap().text.clone();
        Ok(ToolAnswer {
            is_error: result.is_error.unwrap_or_default(),
            texts: result.content.iter().map(text).collect(),
        })
    }

    /// Closes the standard input of the server and waits until it has ended.
    pub(crate) fn end(self) -> ExitStatus {
        let Self {
            runtime,
            client,
            mut server,
        } = self;
        runtime.block_on(async {
            client.cancel().await.unwrap();
            server.wait().await.unwrap()
        })
    }
}
